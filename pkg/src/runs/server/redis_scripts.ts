// The scripts of the store in Redis. A script is atomic. It receives the prefix of all keys, the
// prefix of the thread's keys and the name of the process, and then the values of its own.

/** The keys below the prefix `t` of a thread:
 * `t` (hash) has its state, `holder` and the `active` run; `t:run:<id>` (hash) a run, `t:log:<id>`
 * (stream) its log; `t:keys` (hash) has the runs of idempotency keys, `t:runs` (set) all runs,
 * `t:ended` and `t:whole` (sorted sets) those that have ended by their terminal event, and those of
 * them that are not shortened by time; `t:messages` (list) has the messages, `t:ids` (hash) their
 * numbers by role and id, `t:calls` (set) the ids of tool calls. Below the prefix `p` of the store:
 * `p:active` and `p:whole` (sorted sets) have the threads with such runs, `p:runs:<user>` (set) the
 * user's threads with active runs, `p:latest` (hash) the latest thread of a user, `p:tasks:<user>`
 * (hash) the user's A2A tasks, `p:process:<name>` a process that lives.
 */
const COMMON = `
local p, t, me, thread = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local call = redis.call
local function changed() call('PUBLISH', p .. ':changed:' .. thread, me) end
local function held() return call('HGET', t, 'holder') == me end
local function lives(name) return name and call('EXISTS', p .. ':process:' .. name) == 1 end
local function messages(at)
  while at <= #ARGV do
    local number = call('RPUSH', t .. ':messages', ARGV[at + 1])
    local numbers = call('HGET', t .. ':ids', ARGV[at])
    call('HSET', t .. ':ids', ARGV[at], (numbers and numbers .. ' ' or '') .. number)
    local calls = tonumber(ARGV[at + 2])
    for one = 1, calls do call('SADD', t .. ':calls', ARGV[at + 2 + one]) end
    at = at + 3 + calls
  end
end
local function whole()
  local first = call('ZRANGE', t .. ':whole', 0, 0, 'WITHSCORES')
  if first[2] then call('ZADD', p .. ':whole', first[2], thread) else call('ZREM', p .. ':whole', thread) end
end
local function idle()
  call('HDEL', t, 'active')
  call('ZREM', p .. ':active', thread)
  call('SREM', p .. ':runs:' .. call('HGET', t, 'owner'), thread)
end
`;

const script = (body: string): string => COMMON + body;

/** owner, generation, base, run, key, task, hash, input, time, messages */
export const ADD_RUN = script(`
local owner, generation, base, run, key = unpack(ARGV, 5, 9)
local known = call('HGET', t, 'owner')
if (known and known ~= owner) or call('HEXISTS', t, 'active') == 1 or call('EXISTS', t .. ':run:' .. run) == 1
  or (key ~= '' and call('HEXISTS', t .. ':keys', key) == 1) then return 0 end
if not known then call('HSET', t, 'owner', owner, 'generation', generation, 'last', 0, 'bytes', 0) end
call('HSET', t, 'base', base, 'active', run)
call('HSET', t .. ':run:' .. run, 'task', ARGV[10], 'hash', ARGV[11], 'input', ARGV[12], 'at', ARGV[13], 'created', known and 0 or 1,
  'status', 'queued', 'cancelled', 0, 'attempts', 0, 'terminal', '', 'short', 0)
call('SADD', t .. ':runs', run)
if key ~= '' then call('HSET', t .. ':keys', key, run) end
call('ZADD', p .. ':active', ARGV[13], thread)
call('SADD', p .. ':runs:' .. owner, thread)
messages(14)
changed()
return 1`);

const FIELDS =
  "'status', 'task', 'hash', 'input', 'created', 'cancelled', 'attempts', 'terminal', 'at', 'short'";

/** run */
export const RUN = script(
  `return {ARGV[5], unpack(call('HMGET', t .. ':run:' .. ARGV[5], ${FIELDS}))}`,
);
export const RUN_OF_KEY = script(`
local run = call('HGET', t .. ':keys', ARGV[5])
return run and {run, unpack(call('HMGET', t .. ':run:' .. run, ${FIELDS}))}`);
export const ACTIVE = script(`
local run = call('HGET', t, 'active')
return run and {run, unpack(call('HMGET', t .. ':run:' .. run, ${FIELDS}))}`);

/** run, status, the attempts to add */
export const SET_STATUS = script(`
if not held() then return 0 end
call('HSET', t .. ':run:' .. ARGV[5], 'status', ARGV[6])
call('HINCRBY', t .. ':run:' .. ARGV[5], 'attempts', ARGV[7])
return 1`);

/** run */
export const SET_CANCELLED = script(`
if call('EXISTS', t .. ':run:' .. ARGV[5]) == 1 then call('HSET', t .. ':run:' .. ARGV[5], 'cancelled', 1) end
changed()`);

/** run, whether it ends, the number of events, kind and data of each, messages */
export const APPEND = script(`
if not held() then return 0 end
local run, ends, count = ARGV[5], ARGV[6], tonumber(ARGV[7])
local last, bytes = tonumber(call('HGET', t, 'last')), 0
for at = 8, 7 + 2 * count, 2 do
  last = last + 1
  bytes = bytes + #ARGV[at + 1]
  call('XADD', t .. ':log:' .. run, last .. '-0', 'kind', ARGV[at], 'data', ARGV[at + 1])
end
call('HSET', t, 'last', last)
call('HINCRBY', t, 'bytes', bytes)
if ends == '1' then
  call('HSET', t .. ':run:' .. run, 'status', 'ended', 'terminal', last)
  call('ZADD', t .. ':ended', last, run)
  call('ZADD', t .. ':whole', call('HGET', t .. ':run:' .. run, 'at'), run)
  whole()
  idle()
  messages(8 + 2 * count)
end
changed()
return last`);

/**
 * run, the field that changes, its value, the number of bytes to subtract, number, kind, data and
 * pieces of each event
 */
export const REPLACE = script(`
if not held() then return 0 end
local run, bytes = ARGV[5], 0
local log = t .. ':log:' .. run
for _, entry in ipairs(call('XRANGE', log, '-', '+')) do
  for at = 2, #entry[2], 2 do if entry[2][at - 1] ~= 'kind' then bytes = bytes - #entry[2][at] end end
end
call('DEL', log)
for at = 8, #ARGV, 4 do
  bytes = bytes + #ARGV[at + 2] + #ARGV[at + 3]
  call('XADD', log, ARGV[at] .. '-0', 'kind', ARGV[at + 1], 'data', ARGV[at + 2], 'pieces', ARGV[at + 3])
end
call('HINCRBY', t, 'bytes', bytes)
call('HSET', t .. ':run:' .. run, ARGV[6], ARGV[7], 'input', '')
call('ZREM', t .. ':whole', run)
if ARGV[6] == 'status' then call('ZREM', t .. ':ended', run) end
whole()
changed()
return 1`);

/** Each run that has ended: its id, time, and whether it is shortened. */
export const ENDED = script(`
local found = {}
for _, run in ipairs(call('ZRANGE', t .. ':ended', 0, -1)) do
  found[#found + 1] = {run, unpack(call('HMGET', t .. ':run:' .. run, 'at', 'short'))}
end
return found`);

/** role and id */
export const MESSAGES_OF = script(`
local found = {}
for number in string.gmatch(call('HGET', t .. ':ids', ARGV[5]) or '', '%d+') do found[#found + 1] = call('LINDEX', t .. ':messages', number - 1) end
return found`);

export const DELETE = script(`
if call('EXISTS', t) == 0 then return end
idle()
for _, run in ipairs(call('SMEMBERS', t .. ':runs')) do call('DEL', t .. ':run:' .. run, t .. ':log:' .. run) end
for _, name in ipairs({'', ':keys', ':runs', ':ended', ':whole', ':messages', ':ids', ':calls'}) do call('DEL', t .. name) end
call('ZREM', p .. ':whole', thread)
changed()`);

export const HOLD = script(`
local holder = call('HGET', t, 'holder')
if call('EXISTS', t) == 0 or (holder ~= me and lives(holder)) then return 0 end
call('HSET', t, 'holder', me)
return 1`);

export const RELEASE = script("if held() then call('HDEL', t, 'holder') end");

/** the times before which active runs, and runs that have ended, were created */
export const DUE = script(`
local found, known = {}, {}
for _, threads in ipairs({call('ZRANGEBYSCORE', p .. ':active', '-inf', '(' .. ARGV[5]), call('ZRANGEBYSCORE', p .. ':whole', '-inf', '(' .. ARGV[6])}) do
  for _, one in ipairs(threads) do
    if not known[one] and not lives(call('HGET', t .. one, 'holder')) then found[#found + 1] = one end
    known[one] = true
  end
end
return found`);

/** user, kind, count, milliseconds for which it is valid */
export const COUNT = script(`
local user, kind, count, valid = ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
local key = p .. ':count:' .. kind .. ':' .. user
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A run is counted until it is stored; then it is in the set of runs. Connections are of a process.
local field = thread .. ' ' .. (kind == 'runs' and '' or me)
if count > 0 then call('HSET', key, field, count .. ' ' .. (now + valid)) else call('HDEL', key, field) end
local sum, known = 0, {}
local fields = call('HGETALL', key)
for at = 1, #fields, 2 do
  local number, last = string.match(fields[at + 1], '(%d+) (%d+)')
  if tonumber(last) < now then call('HDEL', key, fields[at]) else
    sum = sum + number
    known[fields[at]] = true
  end
end
call('PEXPIRE', key, valid)
if kind == 'runs' then
  for _, one in ipairs(call('SMEMBERS', p .. ':runs:' .. user)) do if not known[one .. ' '] then sum = sum + 1 end end
end
return sum`);
