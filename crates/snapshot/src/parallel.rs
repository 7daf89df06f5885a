//! One piece of work for each of many items, on as many threads as are worthwhile.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Items taken at once: few enough to share fairly, and enough to avoid contention on the counter.
const CHUNK: usize = 32;

/// How many threads are worthwhile for `count` system calls. More than there are cores, because
/// each waits for the disk while caches are cold.
pub(crate) fn threads_for(count: usize) -> usize {
    match count {
        0..1_000 => 1,
        1_000..20_000 => 4,
        _ => 8,
    }
}

/// Runs `work` for each number below `count`. Each thread has one `Part`, which collects what it
/// finds; the parts are returned in no particular order. The first error stops all threads.
pub(crate) fn fold<Part, E>(
    count: usize,
    threads: usize,
    work: impl Fn(&mut Part, usize) -> Result<(), E> + Sync,
) -> Result<Vec<Part>, E>
where
    Part: Default + Send,
    E: Send,
{
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let run = || {
        let mut part = Part::default();
        while !failed.load(Ordering::Relaxed) {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= count {
                break;
            }
            for number in start..count.min(start + CHUNK) {
                if let Err(error) = work(&mut part, number) {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(part)
    };
    thread::scope(|scope| {
        // If a thread cannot be started, the others do its share.
        let helpers: Vec<_> = (1..threads.min(count.div_ceil(CHUNK)))
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, run).ok())
            .collect();
        let mut parts = vec![run()?];
        for helper in helpers {
            match helper.join() {
                Ok(part) => parts.push(part?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(parts)
    })
}

/// Runs `work` on each of `things` and returns the results in the same order. Each thread has one
/// `Scratch`.
pub(crate) fn map<T, R, E, Scratch>(
    things: &[T],
    threads: usize,
    work: impl Fn(&mut Scratch, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    T: Sync,
    R: Send,
    E: Send,
    Scratch: Default + Send,
{
    type Part<Scratch, R> = (Scratch, Vec<(usize, R)>);
    let parts = fold(things.len(), threads, |part: &mut Part<Scratch, R>, at| {
        part.1.push((at, work(&mut part.0, &things[at])?));
        Ok(())
    })?;
    let mut results: Vec<_> = things.iter().map(|_| None).collect();
    for (at, result) in parts.into_iter().flat_map(|(_, found)| found) {
        results[at] = Some(result);
    }
    Ok(results.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        let things: Vec<usize> = (0..5_000).collect();
        let doubled = map(&things, 4, |(): &mut (), it| Ok::<_, ()>(it * 2)).unwrap();
        assert_eq!(doubled, things.iter().map(|it| it * 2).collect::<Vec<_>>());
    }

    #[test]
    fn one_error_is_the_answer() {
        let things: Vec<usize> = (0..5_000).collect();
        let result = map(&things, 4, |(): &mut (), it| match it {
            4_321 => Err("bad"),
            it => Ok(*it),
        });
        assert_eq!(result, Err("bad"));
    }
}
