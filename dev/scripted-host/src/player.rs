//! Which turn of which script a request is answered with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::api::{Api, Called, Spoken};
use crate::conversation::Dialogue;
use crate::journal::{Entry, Journal};
use crate::scenario::{ApiError, Scenario, Turn, fill, fill_text};

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
    /// A reply of the model, as its API has it.
    Said(Value),
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

    fn variables_for(&self, dialogue: &Dialogue<'_>) -> BTreeMap<String, String> {
        let mut variables = self.variables.clone();
        if let Some(agent) = dialogue.last_agent_id() {
            variables.insert("agent_id".to_owned(), agent);
        }
        for (index, agent) in dialogue.agent_ids().into_iter().enumerate() {
            variables.insert(format!("agent_{}", index + 1), agent.to_owned());
        }
        if let Some(commit) = dialogue.last_commit() {
            variables.insert("commit".to_owned(), commit);
        }
        if let Some(directory) = dialogue.directory() {
            variables.insert("cwd".to_owned(), directory);
        }
        variables
    }

    pub(crate) fn answer(&self, api: &dyn Api, request: &Value, entry: &mut Entry) -> Answer {
        let dialogue = api.dialogue(request);
        let model = request["model"].as_str().unwrap_or("scripted");
        let number = entry.number;
        let say = |text: &str| {
            Answer::Said(api.reply(&Spoken {
                number,
                model,
                text: Some(text.to_owned()),
                tools: Vec::new(),
            }))
        };
        if dialogue.is_side_request() {
            return say("ok");
        }
        let Some(script) = dialogue.script_name() else {
            entry.exhausted = true;
            return say("No script was named.");
        };
        let index = self.next_turn(script);
        entry.script = Some(script.to_owned());
        entry.turn = Some(index);
        let Some(turn) = self.scenario.turn(script, index) else {
            entry.exhausted = true;
            return say("The script is over.");
        };
        std::thread::sleep(Duration::from_millis(turn.delay_ms));
        match &turn.error {
            Some(error) => Answer::Error(error.clone()),
            None => Answer::Said(api.reply(&spoken(
                turn,
                (model, number),
                &dialogue,
                &self.variables_for(&dialogue),
            ))),
        }
    }
}

fn spoken<'a>(
    turn: &Turn,
    (model, number): (&'a str, usize),
    dialogue: &Dialogue<'_>,
    variables: &BTreeMap<String, String>,
) -> Spoken<'a> {
    let tools = turn.tools.iter().enumerate();
    let tools = tools.map(|(index, tool)| Called {
        id: format!("toolu_{number:04}_{index}"),
        namespace: tool.namespace.clone(),
        name: dialogue.tool(&tool.name).to_owned(),
        input: fill(&tool.input, variables),
    });
    Spoken {
        number,
        model,
        text: turn.text.as_ref().map(|text| fill_text(text, variables)),
        tools: tools.collect(),
    }
}
