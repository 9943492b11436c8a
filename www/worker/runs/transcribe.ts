// Speech to text: by a service with OpenAI's API or a model of the platform; without either, the text states the duration.

import { runsRefusal } from "agentwire/runs/server";
import { type RunsEnv, timeoutOf } from "./env.js";
import { readForm } from "./form.js";
import type { Models, Service } from "./platform.js";
import { wavSeconds } from "./sniff.js";

const CODES = {
  tooLarge: "AGENT_AUDIO_TOO_LARGE",
  empty: "AGENT_AUDIO_EMPTY",
  unsupported: "AGENT_AUDIO_UNSUPPORTED_FORMAT",
};
const TYPES = /^audio\/(x-wav|wave?)\s*(;|$)/i;
/** The timeout of the speech service in milliseconds. */
const PATIENCE = 30_000;

/** Returns the transcript of a form's recording. */
export async function transcribe(request: Request, env: RunsEnv): Promise<string> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const { type } = await readForm(request, "audio", CODES, timeoutOf(env), (piece) => void pieces.push(piece as Uint8Array<ArrayBuffer>));
  const file = new Blob(pieces, { type: "audio/wav" });
  const seconds = TYPES.test(type) ? wavSeconds(new Uint8Array(await file.arrayBuffer())) : undefined;
  if (seconds === undefined) {
    throw runsRefusal(CODES.unsupported, "a recording is a WAV file");
  }
  if (seconds === 0) {
    throw runsRefusal(CODES.empty, "the recording has no sound");
  }
  const { ASR, AI, ASR_MODEL } = env;
  if (ASR === undefined && AI === undefined) {
    return `(${seconds.toFixed(1)} seconds of sound)`;
  }
  return answered(() => (ASR === undefined ? byModel(file, AI!, ASR_MODEL) : byService(file, ASR, ASR_MODEL, request.signal)));
}

async function byService(file: Blob, service: Service, model = "whisper-1", signal: AbortSignal): Promise<unknown> {
  const form = new FormData();
  form.set("model", model);
  form.set("file", file, "recording.wav");
  const answer = await service.fetch("https://asr/v1/audio/transcriptions", {
    method: "POST",
    body: form,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
  });
  if (!answer.ok) {
    throw new Error(`the speech service answered ${answer.status}`);
  }
  return answer.json();
}

async function byModel(file: Blob, models: Models, model = "@cf/openai/whisper-large-v3-turbo"): Promise<unknown> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // In chunks, because a call has a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("the model takes too long")), PATIENCE));
  return Promise.race([models.run(model, { audio: btoa(text) }), late]);
}

/** Returns the text of an answer. */
async function answered(ask: () => Promise<unknown>): Promise<string> {
  try {
    const { text } = Object((await ask()) ?? {}) as { text?: unknown };
    if (typeof text === "string") {
      return text;
    }
    console.error("the answer about a recording has no text");
  } catch (error) {
    console.error(error);
  }
  throw runsRefusal("AGENT_ASR_UNAVAILABLE", "the speech service does not answer");
}
