//! What a search found, and whether it looked at everything.

use crate::Doubt;

/// What was found by a search that may have had to stop. What is among it was found; that something is not
/// proves nothing unless the search [looked at everything](Self::complete).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Searched<T> {
    found: T,
    stopped: Option<Doubt>,
}

impl<T> Searched<T> {
    /// Everything was looked at.
    pub fn all(found: T) -> Self {
        Self {
            found,
            stopped: None,
        }
    }

    /// What was found before the search stopped, and why it did.
    pub fn stopped(found: T, why: Doubt) -> Self {
        Self {
            found,
            stopped: Some(why),
        }
    }

    /// What was found, for evidence that speaks for the agent.
    pub fn found(&self) -> &T {
        &self.found
    }

    /// The same, to add to it.
    pub fn found_mut(&mut self) -> &mut T {
        &mut self.found
    }

    /// All that there is, or why that is not known.
    pub fn complete(&self) -> Result<&T, &Doubt> {
        match &self.stopped {
            None => Ok(&self.found),
            Some(why) => Err(why),
        }
    }

    /// Something was not looked at. The first reason stays, unless it is told all the same and this one is not.
    pub fn stop(&mut self, why: Doubt) {
        why.add_to(&mut self.stopped);
    }

    /// Whether the search goes on looking at everything.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// The same of something else that was made from what was found.
    pub fn map<U>(self, made: impl FnOnce(T) -> U) -> Searched<U> {
        Searched {
            found: made(self.found),
            stopped: self.stopped,
        }
    }
}

impl<T: Default> Default for Searched<T> {
    fn default() -> Self {
        Self::all(T::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_stays_and_what_is_missing_proves_nothing_after_a_stop() {
        let mut searched = Searched::all(vec![1]);
        assert_eq!(searched.complete(), Ok(&vec![1]));
        searched.stop(Doubt::NoPlace);
        searched.stop(Doubt::Outside);
        searched.found_mut().push(2);
        let searched = searched.map(|found| found.len());
        assert_eq!(searched.found(), &2);
        assert_eq!(searched.complete(), Err(&Doubt::NoPlace));
        assert!(!searched.is_complete());
    }

    #[test]
    fn a_reason_that_is_told_gives_way_to_one_that_is_not() {
        let unread = || Doubt::ProgramUnread("./x".to_owned());
        let mut searched = Searched::all(());
        searched.stop(unread());
        searched.stop(Doubt::NoPlace);
        searched.stop(unread());
        assert_eq!(searched.complete(), Err(&Doubt::NoPlace));
    }
}
