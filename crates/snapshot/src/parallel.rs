//! One piece of work on each of many things, on as many threads as pay.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Things taken at once: few enough to share fairly, enough to keep the counter cold.
const CHUNK: usize = 32;

/// How many threads pay for `count` system calls. More than there are cores, because each waits
/// for the disk while caches are cold.
pub(crate) fn threads_for(count: usize) -> usize {
    match count {
        0..1_000 => 1,
        1_000..20_000 => 4,
        _ => 8,
    }
}

/// Runs `work` on each of `things` and returns the results in their order. The first error ends
/// the work of all threads. Each thread has one `Scratch`.
pub(crate) fn map<T, R, E, Scratch>(
    things: &[T],
    threads: usize,
    work: impl Fn(&mut Scratch, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    T: Sync,
    R: Send,
    E: Send,
    Scratch: Default,
{
    if threads < 2 || things.len() <= CHUNK {
        let mut scratch = Scratch::default();
        return things.iter().map(|it| work(&mut scratch, it)).collect();
    }
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let run = || {
        let mut scratch = Scratch::default();
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            let Some(chunk) = things.get(start..things.len().min(start + CHUNK)) else {
                break;
            };
            let results: Result<Vec<R>, E> =
                chunk.iter().map(|it| work(&mut scratch, it)).collect();
            match results {
                Ok(results) => done.push((start, results)),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(done)
    };
    let mut parts = thread::scope(|scope| {
        // A thread that cannot be had leaves its share to the others.
        let helpers: Vec<_> = (1..threads.min(things.len().div_ceil(CHUNK)))
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, run).ok())
            .collect();
        let mut parts = run()?;
        for helper in helpers {
            match helper.join() {
                Ok(part) => parts.extend(part?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(parts)
    })?;
    parts.sort_unstable_by_key(|(start, _)| *start);
    let mut all = Vec::with_capacity(things.len());
    all.extend(parts.into_iter().flat_map(|(_, results)| results));
    Ok(all)
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
