//! Which turn of which script a request is answered with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::conversation;
use crate::journal::{Entry, Journal};
use crate::reply;
use crate::scenario::{ApiError, Scenario, Turn};

/// The scenario, and how far each of its scripts has been played.
#[derive(Debug)]
pub(crate) struct Player {
    scenario: Scenario,
    variables: BTreeMap<String, String>,
    journal: Arc<Journal>,
    /// How many requests each script has answered.
    played: Mutex<BTreeMap<String, usize>>,
}

/// What a request is answered with.
pub(crate) enum Answer {
    /// A reply of the model, or another answer to a request that has one.
    Message(Value),
    /// An error of the API.
    Error(ApiError),
}

impl Player {
    pub(crate) fn new(
        scenario: Scenario,
        variables: BTreeMap<String, String>,
        journal: Arc<Journal>,
    ) -> Arc<Self> {
        Arc::new(Self {
            scenario,
            variables,
            journal,
            played: Mutex::default(),
        })
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    fn next_turn(&self, script: &str) -> usize {
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let next = played.entry(script.to_owned()).or_default();
        let index = *next;
        *next += 1;
        index
    }

    fn variables_for(&self, request: &Value) -> BTreeMap<String, String> {
        let mut variables = self.variables.clone();
        if let Some(agent) = conversation::last_agent_id(request) {
            variables.insert("agent_id".to_owned(), agent);
        }
        if let Some(directory) = conversation::directory(request) {
            variables.insert("cwd".to_owned(), directory);
        }
        variables
    }

    pub(crate) fn answer(&self, request: &Value, entry: &mut Entry) -> Answer {
        let model = request["model"].as_str().unwrap_or("scripted");
        let say = |text: &str| {
            let turn = Turn {
                text: Some(text.to_owned()),
                ..Turn::default()
            };
            Answer::Message(reply::message(&turn, model, entry.number, &BTreeMap::new()))
        };
        if conversation::is_side_request(request) {
            return say("ok");
        }
        let Some(script) = conversation::script_name(request) else {
            entry.exhausted = true;
            return say("No script was named.");
        };
        let index = self.next_turn(script);
        let Some(turn) = self.scenario.turn(script, index) else {
            let answer = say("The script is over.");
            entry.script = Some(script.to_owned());
            entry.turn = Some(index);
            entry.exhausted = true;
            return answer;
        };
        entry.script = Some(script.to_owned());
        entry.turn = Some(index);
        std::thread::sleep(Duration::from_millis(turn.delay_ms));
        match &turn.error {
            Some(error) => Answer::Error(error.clone()),
            None => Answer::Message(reply::message(
                turn,
                model,
                entry.number,
                &self.variables_for(request),
            )),
        }
    }
}
