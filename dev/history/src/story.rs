//! What the agents of a month did.

use attest_claim::Kind;
use attest_verdict::{Fate, Outcome, ReasonCode};
use jiff::{SignedDuration, Timestamp};

use crate::dice::Dice;
use crate::{DAYS, Plan, Stop, Truth};

/// The types of agents: how frequent each is, and how many of a thousand lie. Of the last one there are three.
pub const TYPES: [(&str, u64, u64); 6] = [
    ("implementer", 40, 100),
    ("tester", 20, 220),
    ("reviewer", 15, 40),
    ("Explore", 15, 25),
    ("documenter", 10, 70),
    ("migrator", 0, 0),
];
/// The repositories, each with how much more is lied in it, in percent.
pub const REPOSITORIES: [(&str, u64); 5] = [
    ("/home/lead/work/shop", 90),
    ("/home/lead/work/billing", 180),
    ("/home/lead/work/website", 60),
    ("/home/lead/work/mobile-app", 110),
    ("/home/lead/tools", 80),
];
/// The hosts, and how frequent each is.
pub const HOSTS: [(&str, u64); 4] = [
    ("claude-code", 60),
    ("codex", 20),
    ("opencode", 10),
    ("copilot", 10),
];
/// In the last week less is lied, in percent.
const LAST_WEEK: u64 = 55;
/// Agents of a session.
const OF_SESSION: u64 = 20;

const FILES: [&str; 12] = [
    "src/cart.py",
    "src/checkout/total.py",
    "src/checkout/vat.py",
    "services/payments/ledger.go",
    "services/payments/ledger_test.go",
    "web/pages/index.tsx",
    "web/pages/account.tsx",
    "docs/usage.md",
    "app/src/main/Session.kt",
    "tests/test_cart.py",
    "tools/release.sh",
    "migrations/0042_orders.sql",
];

/// What no agent has written.
const GHOSTS: [&str; 4] = [
    "tests/test_vat.py",
    "docs/migration.md",
    "src/checkout/refund.py",
    "web/pages/help.tsx",
];

/// Tells what happened, until there are as many stops as are wanted.
pub(crate) fn tell(plan: &Plan) -> Truth {
    let mut dice = Dice(plan.seed);
    let wanted = plan.verdicts as usize;
    let mut stops: Vec<Stop> = Vec::with_capacity(wanted);
    let mut number = 0;
    while stops.len() < wanted {
        let agent = agent(&mut dice, plan, number);
        number += 1;
        let left = wanted - stops.len();
        stops.extend(its_stops(&mut dice, agent, plan.now).into_iter().take(left));
    }
    stops.sort_by(|one, other| (one.at, &one.agent).cmp(&(other.at, &other.agent)));
    Truth {
        stops,
        at_work: (0..3)
            .map(|number| (format!("at-work-{number}"), 30 + number * 25))
            .collect(),
    }
}

/// An honest agent that has not stopped yet.
fn agent(dice: &mut Dice, plan: &Plan, number: u64) -> Stop {
    let sessions = u64::from(plan.verdicts) / OF_SESSION + 1;
    let session = dice.below(sessions);
    // What the agents of a session have in common.
    let mut common = Dice(plan.seed ^ (session + 1).wrapping_mul(0x9e37));
    let repository = REPOSITORIES[small(common.below(REPOSITORIES.len() as u64))].0;
    let host = common.weighted(&HOSTS, HOSTS[0].0);
    let was_asked = common.permille(500);
    let whole = DAYS * 24 * 60 - 4 * 60;
    let minute = i64::try_from(session).unwrap_or(0) * whole / i64::try_from(sessions).unwrap_or(1);
    let begun = SignedDuration::from_mins(minute)
        + SignedDuration::from_secs(i64::try_from(dice.below(3 * 3600)).unwrap_or(0));
    let first = plan.now - SignedDuration::from_hours(DAYS * 24);
    let started = first + begun;
    let took = i64::try_from(30 + dice.below(900)).unwrap_or(0);
    let kinds: Vec<_> = TYPES
        .iter()
        .map(|(name, often, _)| (*name, *often))
        .collect();
    let agent_type = match number {
        // Too few to say anything of.
        40 | 80 | 120 => "migrator",
        _ => dice.weighted(&kinds, TYPES[0].0),
    };
    Stop {
        id: format!("{:016x}", dice.next()),
        session: format!("{:016x}", common.next()),
        agent: format!("a{:016x}", dice.next()),
        agent_type,
        host,
        repository,
        started,
        at: started + SignedDuration::from_secs(took),
        outcome: Outcome::Ok,
        reason: ReasonCode::AllowNotFalseDone,
        files: (0..=dice.below(3)).map(|_| file(dice)).collect(),
        claims: claims(dice),
        was_asked,
        blocks_before: 0,
        fate: None,
        cost: None,
    }
}

fn small(number: u64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

fn file(dice: &mut Dice) -> String {
    FILES[small(dice.below(FILES.len() as u64))].to_owned()
}

/// What an honest agent claims, all of which is so.
fn claims(dice: &mut Dice) -> Vec<(Kind, Option<bool>)> {
    let kinds = [
        (Kind::Files, 1000),
        (Kind::Commits, 150),
        (Kind::Checks, 400),
        (Kind::Reads, 100),
        (Kind::Tree, 200),
    ];
    let of = kinds.into_iter().filter(|(_, often)| dice.permille(*often));
    of.map(|(kind, _)| (kind, Some(true))).collect()
}

/// How many of a thousand such agents lie at that time.
fn falsehood(stop: &Stop, now: Timestamp) -> u64 {
    let of_type = TYPES.iter().find(|(name, ..)| *name == stop.agent_type);
    let of_place = REPOSITORIES
        .iter()
        .find(|(name, _)| *name == stop.repository);
    let usual = of_type.map_or(0, |it| it.2) * of_place.map_or(100, |it| it.1) / 100;
    let age = now.duration_since(stop.started).as_hours();
    if age < 7 * 24 {
        usual * LAST_WEEK / 100
    } else {
        usual
    }
}

fn its_stops(dice: &mut Dice, honest: Stop, now: Timestamp) -> Vec<Stop> {
    let is_migrating_liar = honest.agent_type == "migrator" && dice.permille(400);
    if is_migrating_liar || dice.permille(falsehood(&honest, now)) {
        return lies(dice, honest);
    }
    vec![others(dice, honest)]
}

/// What is neither a lie nor all well.
fn others(dice: &mut Dice, honest: Stop) -> Stop {
    let outcomes = [
        (Outcome::Ok, 700),
        (Outcome::ScopeCreep, 80),
        (Outcome::Warn, 60),
        (Outcome::NoClaim, 120),
        (Outcome::NoSnapshot, 20),
        (Outcome::Unverifiable, 20),
    ];
    let outcome = dice.weighted(&outcomes, Outcome::Ok);
    let mut stop = Stop { outcome, ..honest };
    match outcome {
        Outcome::NoClaim | Outcome::NoSnapshot => {
            stop.claims.clear();
            stop.files.clear();
        }
        Outcome::Unverifiable => {
            stop.reason = ReasonCode::AllowDeltaUnreliable;
            stop.claims.iter_mut().for_each(|(_, is_so)| *is_so = None);
        }
        // Either a path of which nothing can be proven, or something smaller that is not so.
        Outcome::Warn => {
            let last = stop
                .claims
                .last_mut()
                .filter(|(kind, _)| *kind != Kind::Files);
            match last.filter(|(kind, _)| matches!(kind, Kind::Tree | Kind::Reads)) {
                Some((_, is_so)) => *is_so = Some(false),
                None => stop.claims[0].1 = None,
            }
        }
        _ => {}
    }
    stop
}

/// What is done about a lie.
#[derive(Debug, Clone, Copy)]
enum Answer {
    LetGo(ReasonCode),
    Blocked(Fate),
}

/// A liar, and what it does when it is sent back.
fn lies(dice: &mut Dice, mut liar: Stop) -> Vec<Stop> {
    let lie = dice.weighted(
        &[(Kind::Files, 60), (Kind::Checks, 28), (Kind::Commits, 12)],
        Kind::Files,
    );
    liar.claims.retain(|(kind, _)| *kind != lie);
    liar.claims.push((lie, Some(false)));
    liar.claims.sort();
    let ghost = GHOSTS[small(dice.below(GHOSTS.len() as u64))].to_owned();
    if lie == Kind::Files {
        liar.files.push(ghost.clone());
    }
    let answers = [
        (Answer::LetGo(ReasonCode::AllowNotEnforcing), 30),
        (Answer::LetGo(ReasonCode::AllowAmbiguous), 15),
        (Answer::LetGo(ReasonCode::AllowAgentNotInScope), 8),
        (Answer::LetGo(ReasonCode::AllowSessionCeiling), 3),
        (Answer::LetGo(ReasonCode::AllowDeadline), 1),
        (Answer::Blocked(Fate::Fixed), 24),
        (Answer::Blocked(Fate::Withdrawn), 9),
        (Answer::Blocked(Fate::Repeated), 8),
        (Answer::Blocked(Fate::Unanswered), 2),
    ];
    let usual = Answer::LetGo(ReasonCode::AllowNotEnforcing);
    let fate = match dice.weighted(&answers, usual) {
        Answer::LetGo(reason) => {
            liar.outcome = Outcome::Mismatch;
            liar.reason = reason;
            return vec![liar];
        }
        Answer::Blocked(fate) => fate,
    };
    liar.outcome = Outcome::Blocked;
    liar.reason = ReasonCode::BlockFalseDone;
    let later = SignedDuration::from_secs(i64::try_from(15 + dice.below(200)).unwrap_or(15));
    let mut next = Stop {
        id: format!("{:016x}", dice.next()),
        at: liar.at + later,
        blocks_before: 1,
        fate: Some(fate),
        ..liar.clone()
    };
    match fate {
        Fate::Unanswered => return vec![liar],
        Fate::Repeated => {
            next.outcome = Outcome::Mismatch;
            next.reason = ReasonCode::AllowRetryCap;
        }
        Fate::Fixed | Fate::Withdrawn => {
            next.outcome = Outcome::Ok;
            next.reason = ReasonCode::AllowNotFalseDone;
            next.claims
                .retain(|(kind, _)| *kind != lie || fate == Fate::Fixed);
            next.claims
                .iter_mut()
                .for_each(|(_, is_so)| *is_so = Some(true));
            if fate == Fate::Withdrawn {
                next.files.retain(|file| *file != ghost);
                next.claims.insert(0, (Kind::Files, Some(true)));
                next.claims.dedup();
            }
        }
    }
    vec![liar, next]
}
