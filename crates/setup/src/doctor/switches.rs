//! Does something keep every hook from running, or from blocking?

use super::report::Check;
use crate::in_force::{Covered, InForce, Obstacle};

const NAME: &str = "hooks";

/// A failure for each switch with which hooks are off, and a warning for each limit with which enforcement blocks
/// nothing.
pub(super) fn check(in_force: &InForce<'_>) -> Vec<Check> {
    let mut checks = turned_off(in_force);
    let enforcement = in_force.enforcement();
    let limits = enforcement.obstacles.iter().filter(|obstacle| {
        matches!(obstacle, Obstacle::NoBlocks { .. }) && enforcement.covered != Covered::Nobody
    });
    checks.extend(limits.map(|limit| {
        let detail = format!("enforcement is on, but nothing is blocked: {limit}");
        Check::warn("settings", detail, limit.advice())
    }));
    checks
}

/// Only the switches.
fn turned_off(in_force: &InForce<'_>) -> Vec<Check> {
    let obstacles = in_force.turned_off().into_iter();
    let checks = obstacles.map(|it| Check::fail(NAME, it.to_string(), it.advice()));
    checks.collect()
}
