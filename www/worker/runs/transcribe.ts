// Speech to text: by a service with OpenAI's API or a model of the platform; without either, the
// text states the duration.

import type { Recording } from "agentwire/runs/server";
import type { RunsEnv } from "./env.js";
import type { Models, Service } from "./platform.js";

/** Returns the transcript of a recording. */
export async function transcribe({
  audio,
  seconds,
  env,
  signal,
}: Recording<RunsEnv>): Promise<string> {
  const { ASR, AI, ASR_MODEL } = env;
  if (ASR === undefined && AI === undefined) {
    return `(${seconds.toFixed(1)} seconds of sound)`;
  }
  const answer =
    ASR === undefined
      ? await byModel(audio, AI!, ASR_MODEL)
      : await byService(audio, ASR, ASR_MODEL, signal);
  const { text } = Object(answer ?? {}) as { text?: unknown };
  if (typeof text !== "string") {
    throw new Error("the answer about a recording has no text");
  }
  return text;
}

async function byService(
  file: Blob,
  service: Service,
  model = "whisper-1",
  signal: AbortSignal,
): Promise<unknown> {
  const form = new FormData();
  form.set("model", model);
  form.set("file", file, "recording.wav");
  const answer = await service.fetch("https://asr/v1/audio/transcriptions", {
    method: "POST",
    body: form,
    signal,
  });
  if (!answer.ok) {
    throw new Error(`the speech service answered ${answer.status}`);
  }
  return answer.json();
}

async function byModel(
  file: Blob,
  models: Models,
  model = "@cf/openai/whisper-large-v3-turbo",
): Promise<unknown> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // In chunks, because a call has a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return models.run(model, { audio: btoa(text) });
}
