// The digest of a list of messages: contestants with different answers are not compared.

/**
 * FNV-1a over the UTF-16 units of the members that every contestant keeps; the native benchmark has
 * the same.
 */
export function digestOf(messages) {
  let hash = 0x811c9dc5;
  const add = (value) => {
    const text = String(value);
    for (let at = 0; at < text.length; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    }
  };
  for (const { id, type, role, status, content } of messages) {
    [id, type, role, status].forEach(add);
    for (const { type, text, data } of content) {
      add(type);
      if (type === "text") add(text);
      else [data?.call_id, data?.name, data?.arguments, data?.output].forEach(add);
    }
  }
  return `${messages.length}:${(hash >>> 0).toString(16).padStart(8, "0")}`;
}
