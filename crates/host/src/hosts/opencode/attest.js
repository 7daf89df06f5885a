// What is the same in all hosts that run plugins of OpenCode.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = "@attest@";
const LIMIT_MS = 30_000;
const TRANSCRIPT = "transcript.jsonl";
const LARGEST_REPLY = 1 << 20;
// attest counts how often an agent is sent back. This only ends a loop that it does not know of.
const MOST_REVISIONS = 8;
// `opencode run` and `kilo run` end before the answer to another prompt, so there the person is told instead.
const isRun = process.argv.slice(2).find((word) => !word.startsWith("-")) === "run";

const argumentsOf = (verb) => ["hook", verb, "--harness", HARNESS, ...(isPackage ? ["--plugin"] : [])];
const OPTIONS = {
  stdio: ["pipe", "pipe", "ignore"],
  timeout: LIMIT_MS,
  killSignal: "SIGKILL",
  windowsHide: true,
};

// What attest answers; undefined if that is nothing.
function ask(verb, payload) {
  return new Promise((resolve) => {
    const program = programFor(payload.cwd);
    if (!program) return resolve(undefined);
    const child = spawn(program, argumentsOf(verb), OPTIONS);
    let reply = "";
    child.on("error", () => resolve(undefined));
    child.on("close", () => resolve(parsed(reply)));
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      reply += chunk;
      if (reply.length > LARGEST_REPLY) child.kill("SIGKILL");
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
  }).catch(() => undefined);
}

// The same, during which nothing else happens: while one waits, the run may end.
function askAtOnce(verb, payload, env) {
  const program = programFor(payload.cwd);
  if (!program) return undefined;
  const input = JSON.stringify(payload);
  const done = spawnSync(program, argumentsOf(verb), { ...OPTIONS, env, input, maxBuffer: LARGEST_REPLY });
  return parsed(String(done.stdout));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const textOf = (parts) =>
  (parts ?? [])
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n");

const timeOf = (ms) => (ms ? new Date(ms).toISOString() : undefined);

// What a part of a message says, as lines that attest reads.
function linesOf({ info, part }) {
  const message = info.id;
  if (part.type === "text" && !part.synthetic) {
    const timestamp = timeOf(info.time?.created);
    return [{ opencode: "text", message, role: info.role, text: part.text, timestamp }];
  }
  if (part.type !== "tool") return [];
  const { status, input, output, error, metadata, time } = part.state;
  const call = { opencode: "call", message, id: part.callID, tool: part.tool, input, timestamp: timeOf(time?.start) };
  if (status !== "completed" && status !== "error") return [call];
  const exit = Number.isInteger(metadata?.exit) ? metadata.exit : undefined;
  const timestamp = timeOf(time?.end);
  return [call, { opencode: "result", id: part.callID, status, exit, output: output ?? error, timestamp }];
}

// A folder with what was said and done in a session; undefined if it cannot be written.
function written(messages) {
  let folder;
  try {
    folder = mkdtempSync(join(tmpdir(), "attest-"));
    const parts = messages.flatMap(({ info, parts }) => parts.map((part) => ({ info, part })));
    const lines = parts.flatMap(linesOf).map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(join(folder, TRANSCRIPT), lines.join(""), { mode: 0o600 });
    return folder;
  } catch {
    removed(folder);
  }
}

function removed(folder) {
  try {
    if (folder) rmSync(folder, { recursive: true, force: true });
  } catch {
    // What stays is in the folder of temporary files.
  }
}

// Calls `use` with where the transcript is, which is there for as long as that takes.
async function withTranscript(messages, use) {
  const folder = written(messages);
  try {
    return await use(folder ? { transcript_path: join(folder, TRANSCRIPT) } : {});
  } finally {
    removed(folder);
  }
}

export const Attest = async ({ client, directory }) => {
  // The session that started each session; null for one that a person started.
  const parents = new Map();

  async function parentOf(id) {
    if (!parents.has(id)) {
      const session = await client.session.get({ path: { id } });
      parents.set(id, session.data?.parentID ?? null);
    }
    return parents.get(id);
  }

  async function payload(name, session, more) {
    const parent = await parentOf(session);
    const agent = parent ? { agent_id: session } : {};
    return { hook_event_name: name, session_id: parent ?? session, cwd: directory, ...agent, ...more };
  }

  // Sends a text to a session and gives back what its agent answers.
  async function send(session, text, agent) {
    const body = { agent, parts: [{ type: "text", text }] };
    const answer = await client.session.prompt({ path: { id: session }, body });
    return textOf(answer.data?.parts);
  }

  // The report of a subagent as it is once attest asks for no other.
  async function accepted(session, report, type) {
    let message = report;
    for (let sent = 0; sent < MOST_REVISIONS; sent += 1) {
      const more = { message, agent_type: type, stop_hook_active: sent > 0 };
      const reply = await withTranscript(await messagesOf(session), async (transcript) =>
        ask("stop", await payload("tool.execute.after", session, { ...more, ...transcript })),
      );
      if (reply?.action !== "revise") break;
      message = (await send(session, reply.instruction, type)) || message;
    }
    return message;
  }

  async function messagesOf(session) {
    const all = await client.session.messages({ path: { id: session } });
    return all.data ?? [];
  }

  async function show(message) {
    if (isRun) writeSync(2, `${message}\n`);
    else await client.tui.showToast({ body: { title: "attest", message, variant: "warning" } });
  }

  async function ended(session) {
    if (await parentOf(session)) return;
    const messages = await messagesOf(session);
    const last = messages.findLast((message) => message.info.role === "assistant");
    const reply = await withTranscript(messages, async (transcript) => {
      const sent = await payload("session.idle", session, { message: textOf(last?.parts), ...transcript });
      return isRun
        ? askAtOnce("session-stop", sent, { ...process.env, ATTEST_ENFORCE: "0" })
        : ask("session-stop", sent);
    });
    if (reply?.notice) await show(reply.notice);
    if (reply?.action === "revise") await send(session, reply.instruction);
  }

  // A hook of the host that fails takes the tool's result or the prompt with it.
  const safely = (hook) => async (input, output) => {
    try {
      await hook(input, output);
    } catch (error) {
      const body = { service: "attest", level: "error", message: String(error) };
      await client.app.log({ body }).catch(() => {});
    }
  };

  return {
    "chat.message": safely(async ({ sessionID }, { message, parts }) => {
      const verb = (await parentOf(sessionID)) ? "start" : "prompt";
      const more = { agent_type: message.agent, prompt: textOf(parts) };
      const reply = await ask(verb, await payload("chat.message", sessionID, more));
      const text = parts.find((part) => part.type === "text");
      if (reply?.context && text) text.text = `${reply.context}\n\n${text.text}`;
    }),

    "tool.execute.after": safely(async (input, output) => {
      const child = input.tool === "task" ? output.metadata?.sessionId : undefined;
      const report = /<task_result>\n?([\s\S]*?)\n?<\/task_result>/.exec(output.output ?? "");
      if (!child || !report) return;
      const message = await accepted(child, report[1], input.args?.subagent_type);
      output.output = output.output.replace(report[1], () => message);
      const told = await payload("tool.execute.after", input.sessionID, { reported: child });
      const reply = await ask("post-tool-use", told);
      if (reply?.context) output.output += `\n\n${reply.context}`;
    }),

    event: safely(async ({ event }) => {
      if (event.type === "session.idle") await ended(event.properties.sessionID);
    }),
  };
};
