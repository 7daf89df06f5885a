// attest's hooks for OpenClaw. `attest install --host openclaw` writes this file, and
// `attest uninstall --host openclaw` removes it; or it is in the package attest-openclaw.
//
// OpenClaw goes on as if this file was not there if attest is missing, fails or takes too long.
import { spawn } from "node:child_process";

const PROGRAM = "@attest@";
// OpenClaw gives a hook 15 seconds. attest knows of this limit, and ends before it.
const LIMIT_MS = 14_000;
const LARGEST_REPLY = 1 << 20;
const DAY_MS = 24 * 60 * 60 * 1000;

// What attest answers; undefined if that is nothing.
function ask(verb, payload) {
  return new Promise((resolve) => {
    const program = programFor(payload.cwd);
    if (!program) return resolve(undefined);
    const words = ["hook", verb, "--harness", "openclaw", ...(isPackage ? ["--plugin"] : [])];
    const child = spawn(program, words, {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
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

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function payload(name, event, ctx, more) {
  return {
    hook_event_name: name,
    session_id: ctx.sessionId ?? event.sessionId ?? ctx.sessionKey,
    turn_id: ctx.runId ?? event.runId,
    cwd: event.cwd ?? ctx.workspaceDir,
    ...more,
  };
}

function register(api) {
  // Revisions that were asked for and have not begun, by run.
  const asked = new Map();
  // What an agent is still to be told, by session.
  const owed = new Map();

  // To the person by the log, and to the agent with its next prompt. OpenClaw keeps that for us, but not
  // in every way in which it is run.
  async function tell(ctx, text) {
    api.logger?.warn?.(text);
    const { sessionKey, agentId } = ctx;
    const idempotencyKey = `attest:${ctx.runId}`;
    const injection = { sessionKey, agentId, text, idempotencyKey, ttlMs: DAY_MS };
    const kept = await api.session?.workflow?.enqueueNextTurnInjection?.(injection);
    if (!kept?.enqueued) owed.set(sessionKey, text);
  }

  api.on("before_prompt_build", async (event, ctx) => {
    const isRevision = asked.delete(ctx.runId);
    const { prompt } = event;
    const reply = await ask("prompt", payload("before_prompt_build", event, ctx, { prompt }));
    const late = isRevision ? undefined : owed.get(ctx.sessionKey);
    if (late === undefined) return reply;
    owed.delete(ctx.sessionKey);
    return { prependContext: [late, reply?.prependContext].filter(Boolean).join("\n\n") };
  });

  api.on("before_agent_finalize", async (event, ctx) => {
    const more = { message: event.lastAssistantMessage, stop_hook_active: event.stopHookActive };
    const reply = await ask("session-stop", payload("before_agent_finalize", event, ctx, more));
    if (reply?.notice) await tell(ctx, reply.notice);
    if (reply?.action === "revise") asked.set(ctx.runId, reply.retry.instruction);
    return reply?.action ? reply : undefined;
  });

  // OpenClaw drops a revision if the run has used a tool that has effects.
  api.on("agent_end", async (_event, ctx) => {
    const instruction = asked.get(ctx.runId);
    asked.delete(ctx.runId);
    if (instruction) await tell(ctx, `The last report did not hold, and OpenClaw let it pass. ${instruction}`);
  });
}

export default {
  id: "attest",
  name: "attest",
  description: "Checks what an agent says it did against the git work tree",
  register,
};
