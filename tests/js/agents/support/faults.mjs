// Faults of the API of a model: it limits the rate of requests, breaks off, or reports an
// error after it has begun to answer.
import { sendJson } from "../../conversations/support/http.mjs";

/** The event with which an API reports an error in its stream. */
const ERRORS = {
  chat: 'data: {"error":{"message":"The server had an error.","type":"server_error"}}\n\n',
  anthropic:
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Internal server error"}}\n\n',
  gemini:
    'data: {"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}\n\n',
  responses:
    'event: response.failed\ndata: {"type":"response.failed","response":{"id":"resp_f","object":"response","status":"failed","error":{"code":"server_error","message":"The server had an error."},"output":[]}}\n\n',
};

/** The number of events that arrive before a fault. */
const BEFORE = 2;

/** The faults, by name: functions of the response, the model, and what sends its answer. */
export const FAULTS = {
  "rate limit"(response, model) {
    response.setHeader("retry-after", "1");
    sendJson(response, 429, model.error({ message: "Slow down.", status: 429 }));
  },
  cut(response, _model, send) {
    send(stopped(response, () => response.socket.destroy()));
  },
  error(response, model, send) {
    send(stopped(response, () => response.end(ERRORS[model.protocol])));
  },
};

/** Returns a response that takes a few events, and then ends in its own way. */
function stopped(response, end) {
  let written = 0;
  return {
    writeHead: (...head) => response.writeHead(...head),
    write: (event) => written++ < BEFORE && response.write(event),
    // The events have arrived before the connection ends.
    end: () => setTimeout(end, 100),
  };
}
