// Speech to text: by a service that speaks OpenAI's way, or, where none is configured, by an echo for the demo.

import { runsRefusal } from "agentwire";
import type { RunsEnv } from "./env.js";
import { formWith, wavSeconds } from "./upload.js";

const CODES = {
  tooLarge: "AGENT_AUDIO_TOO_LARGE",
  empty: "AGENT_AUDIO_EMPTY",
  unsupported: "AGENT_AUDIO_UNSUPPORTED_FORMAT",
};
const TYPES = /^audio\/(x-wav|wave?)\s*(;|$)/i;
/** How many milliseconds the speech service has. */
const PATIENCE = 30_000;

/** What is said in the recording of a form. */
export async function transcribe(request: Request, env: RunsEnv): Promise<string> {
  const { file } = await formWith(request, "audio", CODES);
  const seconds = TYPES.test(file.type) ? wavSeconds(new Uint8Array(await file.arrayBuffer())) : undefined;
  if (seconds === undefined) {
    throw runsRefusal(CODES.unsupported, "a recording is a WAV file");
  }
  if (seconds === 0) {
    throw runsRefusal(CODES.empty, "the recording has no sound");
  }
  return env.ASR === undefined ? `(${seconds.toFixed(1)} seconds of sound)` : asked(file, env.ASR, env.ASR_MODEL, request.signal);
}

async function asked(file: File, service: NonNullable<RunsEnv["ASR"]>, model = "whisper-1", signal: AbortSignal): Promise<string> {
  const form = new FormData();
  form.set("model", model);
  form.set("file", file, "recording.wav");
  try {
    const answer = await service.fetch("https://asr/v1/audio/transcriptions", {
      method: "POST",
      body: form,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
    });
    const { text } = answer.ok ? ((await answer.json()) as { text?: unknown }) : { text: undefined };
    if (typeof text === "string") {
      return text;
    }
    console.error(`the speech service answered ${answer.status}`);
  } catch (error) {
    console.error(error);
  }
  throw runsRefusal("AGENT_ASR_UNAVAILABLE", "the speech service does not answer");
}
