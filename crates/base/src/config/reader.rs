//! Variables to values, and a complaint about each that cannot be read.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use attest_checklist::Names;

use super::{Gates, LONGEST_DEADLINE};
use crate::env::{self, Env};

/// What is said of a number that was read, and is too large.
const COUNTS_AS: &str = ": it counts as ";

/// Whether a complaint is about a value that is not understood, so that the default is in force.
#[must_use]
pub fn leaves_default(complaint: &str) -> bool {
    !complaint.contains(COUNTS_AS)
}

/// The variable that a complaint is about, with which it begins.
#[must_use]
pub fn variable_of(complaint: &str) -> &str {
    complaint.split('=').next().unwrap_or_default()
}

/// The variables, and what is wrong with those that were read.
pub(super) struct Reader<'a> {
    pub(super) env: &'a Env,
    pub(super) complaints: Vec<String>,
}

impl Reader<'_> {
    pub(super) fn parsed<T: FromStr<Err: Display>>(&mut self, name: &str, default: T) -> T {
        self.read(name, default, |text| {
            text.parse().map_err(|error: T::Err| error.to_string())
        })
    }

    pub(super) fn number<T: FromStr>(&mut self, name: &str, default: T) -> T {
        self.read(name, default, |text| {
            let number = text.parse();
            number.map_err(|_| "expected a whole number of 0 or more".to_owned())
        })
    }

    /// A larger number counts as the largest: nobody may make a loop.
    pub(super) fn at_most(&mut self, name: &'static str, most: u32, default: u32) -> u32 {
        let number = self.number(name, default);
        if number > most {
            let complaint = format!("{name}={number}{COUNTS_AS}{most}, which is the most");
            self.complaints.push(complaint);
        }
        number.min(most)
    }

    pub(super) fn read<T>(
        &mut self,
        name: &str,
        default: T,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> T {
        let Some(value) = self.env.get(name) else {
            return default;
        };
        let text = value.to_string_lossy();
        match parse(text.trim()) {
            Ok(value) => value,
            Err(why) => {
                self.complaints.push(format!("{name}={text:?}: {why}"));
                default
            }
        }
    }

    pub(super) fn seconds(&mut self, name: &str, default: Duration) -> Duration {
        self.read(name, default, |text| {
            let seconds = text.parse().ok();
            let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            match time {
                Some(time) if !time.is_zero() => Ok(time.min(LONGEST_DEADLINE)),
                _ => Err("expected a number of seconds above 0".to_owned()),
            }
        })
    }

    /// A relative path would be taken from the agent's folder, and so lie in the repository.
    pub(super) fn absolute(&mut self, name: &str) -> Option<PathBuf> {
        let path = self.env.path(name)?;
        self.if_absolute(name, path)
    }

    fn if_absolute(&mut self, name: &str, path: PathBuf) -> Option<PathBuf> {
        if path.is_absolute() {
            return Some(path);
        }
        self.complaints
            .push(format!("{name}={}: not an absolute path", path.display()));
        None
    }

    /// The other gates stay if one is no path.
    pub(super) fn gates(&mut self, names: &Names) -> Gates {
        let paths = self.env.paths(env::GATES).into_iter();
        let programs: Vec<_> = paths
            .filter_map(|path| self.if_absolute(env::GATES, path))
            .collect();
        if programs.is_empty() {
            return Gates::default();
        }
        Gates {
            programs,
            environment: names.of(self.env.of_person()),
        }
    }
}
