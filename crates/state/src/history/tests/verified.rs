//! Which agents are verified.

use super::*;

impl Kept {
    fn stop_with(&mut self, agent: &str, second: i64, outcome: Outcome, judged: &str) {
        let id = self.stop(agent, second, outcome, ALLOWED);
        let sql = "UPDATE verdicts SET judged = ?1 WHERE id = ?2";
        let values = rusqlite::params![judged, id];
        self.store.connection.execute(sql, values).unwrap();
    }
}

#[test]
fn an_agent_is_verified_only_if_something_could_be_judged() {
    let mut kept = Kept::new();
    for (agent, second, outcome, judged) in [
        ("status alone", 10, Outcome::Ok, ""),
        ("no claim", 11, Outcome::NoClaim, ""),
        ("worth a look", 12, Outcome::Warn, ""),
        ("borne out", 13, Outcome::Ok, " files "),
        // What says nothing more takes nothing back.
        ("borne out before", 14, Outcome::Ok, " files "),
        ("borne out before", 15, Outcome::Ok, ""),
        ("open since", 16, Outcome::Ok, " files "),
        ("open since", 17, Outcome::Warn, " tree "),
        ("liar", 18, Outcome::Mismatch, " files "),
    ] {
        kept.stop_with(agent, second, outcome, judged);
    }
    let settled = settled_since(&kept.store, &Of::Any, at(0)).unwrap();
    let expected = Settled {
        verified: 2,
        unjudged: 2,
        mended: 0,
        false_dones: 1,
    };
    assert_eq!(settled, expected);
    let all = Filter::default();
    let stops = Stops::of(&kept.store, &all).unwrap();
    let days = by_day(&stops.by_hour(&all, &TimeZone::UTC));
    let (_, day) = days.into_iter().next().unwrap();
    let before = None;
    let by = By::Type;
    let question = Question {
        filter: &all,
        by,
        before,
    };
    let counted = stops.stats(&question).unwrap();
    assert_eq!(day.coverage, counted.all.coverage.all);
    assert_eq!((day.coverage.judged, day.coverage.stops), (5, 9));
}
