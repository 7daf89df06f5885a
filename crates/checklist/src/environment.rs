//! Which variables a command of a criteria file does not get.
//!
//! The file is the repository's and the variables are the person's: credentials of the agent's
//! host, of clouds and of message services are withheld, whatever the command is.

use std::ffi::{OsStr, OsString};

/// Names that begin like this.
const PREFIXES: &[&str] = &[
    "ANTHROPIC_",
    "AWS_",
    "AZURE_",
    "CLAUDE_",
    "CODEX_",
    "CURSOR_",
    "DISCORD_",
    "GCP_",
    "GEMINI_",
    "GOOGLE_",
    "MATTERMOST_",
    "MISTRAL_",
    "OPENAI_",
    "OPENCLAW_",
    "OPENROUTER_",
    "SLACK_",
    "SMTP_",
    "TELEGRAM_",
    "TWILIO_",
    "WHATSAPP_",
];

/// Names that are this, or end like this behind a `_`.
const ENDINGS: &[&str] = &[
    "ACCESS_KEY",
    "API_KEY",
    "APIKEY",
    "AUTH",
    "CREDENTIALS",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PRIVATE_KEY",
    "SECRET",
    "SECRET_KEY",
    "TOKEN",
    "WEBHOOK",
    "WEBHOOK_URL",
];

/// Names that are this.
const NAMES: &[&str] = &[
    "CLAUDECODE",
    "DOCKER_AUTH_CONFIG",
    "GPG_AGENT_INFO",
    "KUBECONFIG",
    "NETRC",
    "SSH_AGENT_PID",
    "SSH_AUTH_SOCK",
];

/// Whether a command of a criteria file does not get the variable. Case does not matter.
#[must_use]
pub fn is_withheld(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let ends = |ending: &&str| {
        let before = name.strip_suffix(*ending);
        before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
    };
    NAMES.contains(&name.as_str())
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || ENDINGS.iter().any(ends)
}

/// Of the person's variables, those that a command of a criteria file gets.
#[must_use]
pub fn without_secrets<'v>(
    variables: impl IntoIterator<Item = (&'v OsStr, &'v OsStr)>,
) -> Vec<(OsString, OsString)> {
    variables
        .into_iter()
        .filter(|(name, _)| !is_withheld(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The names and parts of names that are withheld, for people: as prefixes, endings and names.
pub fn withheld() -> impl Iterator<Item = String> {
    let prefixes = PREFIXES.iter().map(|prefix| format!("{prefix}*"));
    let endings = ENDINGS.iter().map(|ending| format!("*_{ending}"));
    prefixes
        .chain(endings)
        .chain(NAMES.iter().map(|name| (*name).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_withheld_and_the_rest_is_not() {
        for name in [
            "ANTHROPIC_API_KEY",
            "OPENAI_ORG",
            "AWS_PROFILE",
            "GITHUB_TOKEN",
            "my_api_key",
            "SSH_AUTH_SOCK",
            "CLAUDE_CODE_ENTRYPOINT",
            "CLAUDECODE",
            "TOKEN",
            "DB_PASSWORD",
            "SLACK_CHANNEL",
            "Telegram_Bot",
        ] {
            assert!(is_withheld(OsStr::new(name)), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "LANG",
            "CARGO_HOME",
            "TOKENIZERS_PARALLELISM",
            "AUTHOR",
            "SECRETARY",
            "NODE_ENV",
            "KEYBOARD",
            "GIT_AUTHOR_NAME",
            "DISPLAY",
            "MONKEY",
        ] {
            assert!(!is_withheld(OsStr::new(name)), "{name}");
        }
    }
}
