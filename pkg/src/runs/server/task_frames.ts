// The frames in the log of an A2A task: events of version 1.0 in JSON-RPC, whatever the form of the
// request is.

import type { A2aTask, Json } from "../../agentwire.js";
import { acceptedIn } from "../../a2a/calls.js";
import {
  AFTER,
  BEFORE,
  type TaskReply,
  failedStatus,
  frames as eventsAs,
} from "../../a2a/running_task.js";
import { jsonText, parseJson } from "../../core/json.js";
import type { RunFailure } from "./driver.js";

/** Returns the last state of a task in the last frames of a run. */
export function stateIn(frames: readonly string[]): string {
  const events = frames.map(
    (frame) =>
      (
        dataIn(frame) as {
          readonly result?: { readonly task?: A2aTask; readonly statusUpdate?: A2aTask };
        }
      ).result,
  );
  const states = events.map((event) => (event?.task ?? event?.statusUpdate)?.status?.state);
  return states.reverse().find((state) => state != null) ?? "";
}

/** Returns the frame that ends a task whose agent has failed. */
export function failedUpdate(taskId: string, contextId: string, failure: RunFailure): string {
  return eventFrame({
    statusUpdate: { taskId, contextId, status: failedStatus(taskId, contextId, failure) },
  });
}

/** Returns the frame of a task whose agent has failed before its first event. */
export function failedFrame(accepted: string, failure: RunFailure): string {
  const { taskId: id, contextId, task } = acceptedIn(accepted);
  return eventFrame({
    task: { ...Object(task), id, contextId, status: failedStatus(id, contextId, failure) },
  });
}

/** Returns a task as the frame of a log. */
export function taskFrame(task: A2aTask): string {
  return eventFrame({ task });
}

function eventFrame(event: object): string {
  return BEFORE + jsonText(event) + AFTER;
}

/** Returns a function that writes a frame of a log in the form of a reply. */
export function convertedTo(reply: TaskReply): (frame: string) => string {
  const write = eventsAs(reply);
  return (frame) =>
    frame.startsWith(BEFORE) ? write(frame.slice(BEFORE.length, -AFTER.length)) : frame;
}

/** Parses the data of a frame. */
export function dataIn(frame: string): { readonly [key: string]: Json } {
  return parseJson(frame.slice(frame.indexOf("data: ") + "data: ".length)) as {
    readonly [key: string]: Json;
  };
}
