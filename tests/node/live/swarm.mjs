// Many Yjs clients on one server, as pages are: y-websocket, real sockets, bad connections.
// The first argument is the folder in which the packages lie, the second what to do, as JSON.
// Each client writes marks that occur once, writes and deletes other text around them, and
// deletes some whole marks. What all of them hold in the end goes to standard output.
import { createRequire } from 'node:module'

process.setMaxListeners(0)
const load = createRequire(process.argv[2] + '/package.json')
const Y = load('yjs')
const { WebsocketProvider } = load('y-websocket')
const { WebSocket } = load('ws')
const task = JSON.parse(process.argv[3])

// A number generator with a seed, so that a run can be repeated as far as a network allows.
let seed = task.seed
function chance () {
  seed = (seed * 1664525 + 1013904223) >>> 0
  return seed / 2 ** 32
}
const below = (most) => Math.floor(chance() * most)
const pick = (list) => list[below(list.length)]
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const SCRIPTS = ['a', 'words ', '한', '글자 ', '😀', '👩‍👩‍👧', '🇰🇷', 'e\u0301', 'ש', 'שלום ', 'ع', '𝒳', '中文', '\n', '\n\n']
const MARK = /⟦[^⟧]*⟧/g

// A connection that delivers late, though in order, and may break with things on their way.
function socketOf (token) {
  return class Slow extends WebSocket {
    constructor (url, protocols) {
      super(url, protocols, { headers: { Authorization: `Bearer ${token}` } })
      this.before = Promise.resolve()
    }

    send (data) {
      const copy = new Uint8Array(data)
      const delay = pause(below(task.delay))
      this.before = this.before.then(() => delay).then(() => {
        if (this.readyState === WebSocket.OPEN) super.send(copy)
      })
    }
  }
}

class Client {
  constructor (number) {
    this.number = number
    this.doc = new Y.Doc()
    this.text = this.doc.getText('content')
    this.wrote = []
    this.deleted = []
    this.anchors = []
    this.closed = []
    this.saved = 0
    const { room, token } = task.seats[number % task.seats.length]
    this.room = room
    this.provider = new WebsocketProvider(`${task.url}/live`, room, this.doc, {
      WebSocketPolyfill: socketOf(token), disableBc: true, maxBackoffTime: 300
    })
    this.provider.messageHandlers[100] = (_encoder, decoder) => this.hear(decoder)
    this.provider.on('closed', ({ code }) => this.closed.push(code))
    this.provider.awareness.setLocalStateField('user', { name: `client ${number}` })
  }

  hear (decoder) {
    const length = load('lib0/decoding').readVarUint(decoder)
    const notice = JSON.parse(Buffer.from(decoder.arr.subarray(decoder.pos, decoder.pos + length)))
    if (notice.kind === 'saved') this.saved = Math.max(this.saved, notice.clocks[this.doc.clientID] ?? 0)
    if (notice.kind === 'refused') this.closed.push(notice.code)
  }

  // Places at which something may be written: none is inside a mark.
  place () {
    const text = this.text.toString()
    const at = below(text.length + 1)
    const open = text.lastIndexOf('⟦', at - 1)
    const end = text.indexOf('⟧', open)
    return open >= 0 && end >= at ? end + 1 : at
  }

  write () {
    const mark = `⟦${this.number}.${this.wrote.length}⟧`
    const words = Array.from({ length: below(4) }, () => pick(SCRIPTS)).join('')
    this.wrote.push(mark)
    this.text.insert(this.place(), words + mark)
  }

  // Deletes up to the next mark, wherever that cuts a character in two.
  cut () {
    const text = this.text.toString()
    const start = this.place()
    const end = Math.min(text.length, start + 1 + below(8))
    const mark = text.indexOf('⟦', start)
    const most = mark < 0 ? end : Math.min(end, mark)
    if (most > start) this.text.delete(start, most - start)
  }

  drop () {
    const marks = [...this.text.toString().matchAll(MARK)].filter(([mark]) => mark !== '⟦둥지⟧')
    if (marks.length < 8) return
    const found = pick(marks)
    this.deleted.push(found[0])
    this.text.delete(found.index, found[0].length)
  }

  anchor () {
    const at = below(this.text.length + 1)
    const place = Y.createRelativePositionFromTypeIndex(this.text, at, pick([0, -1]))
    this.anchors.push(Buffer.from(Y.encodeRelativePosition(place)).toString('base64'))
  }

  async live (until) {
    await pause(below(300))
    // As much as in a few seconds on a quiet machine, however long that takes on a busy one.
    for (let steps = 0; Date.now() < until || steps < task.steps; steps++) {
      const dice = chance()
      if (dice < 0.55) this.write()
      else if (dice < 0.75) this.cut()
      else if (dice < 0.80) this.drop()
      else if (dice < 0.86) this.anchor()
      else if (dice < 0.92) this.provider.awareness.setLocalStateField('cursor', { at: below(100) })
      else if (dice < 0.97) this.provider.ws?.terminate?.()
      else await this.leave()
      await pause(below(2 * task.pause))
    }
    this.provider.connect()
  }

  // Away for a while, and writing meanwhile.
  async leave () {
    this.provider.disconnect()
    for (let times = below(4); times > 0; times--) {
      this.write()
      await pause(below(100))
    }
    await pause(below(400))
    this.provider.connect()
  }

  get vector () {
    return Buffer.from(Y.encodeStateVector(this.doc)).toString('base64')
  }

  get known () {
    return JSON.stringify([...Y.decodeStateVector(Y.encodeStateVector(this.doc))].sort((a, b) => a[0] - b[0]))
  }
}

function byRoom (clients) {
  const rooms = new Map()
  for (const client of clients) rooms.set(client.room, [...(rooms.get(client.room) ?? []), client])
  return rooms
}

// Everybody is connected, and knows the same.
function isSettled (clients) {
  return [...byRoom(clients).values()].every((group) =>
    group.every((one) => one.provider.synced && one.known === group[0].known &&
      one.text.toString() === group[0].text.toString()))
}

const clients = Array.from({ length: task.clients }, (_, number) => new Client(number))
const until = Date.now() + task.seconds * 1000
await Promise.all(clients.map((client) => client.live(until)))
process.stderr.write('quiet\n')
// The server is asked again by whoever missed something when a connection broke.
const deadline = Date.now() + (task.patience ?? 60) * 1000
let calm = 0
while (calm < 5 && Date.now() < deadline) {
  calm = isSettled(clients) ? calm + 1 : 0
  await pause(100)
}
const result = [...byRoom(clients)].map(([room, group]) => ({
  room,
  settled: calm >= 5,
  apart: group.filter((one) => one.known !== group[0].known).length,
  away: group.filter((one) => !one.provider.synced).map((one) => one.provider.wsconnected),
  texts: [...new Set(group.map((one) => one.text.toString().toWellFormed()))],
  vectors: group[0].vector,
  wrote: group.flatMap((one) => one.wrote),
  deleted: [...new Set(group.flatMap((one) => one.deleted))],
  closed: group.flatMap((one) => one.closed),
  seen: group.map((one) => one.provider.awareness.getStates().size),
  users: [...new Set(group.flatMap((one) => [...one.provider.awareness.getStates()]
    .filter(([client]) => client !== one.doc.clientID).map(([, state]) => state.user?.name)))],
  anchors: group.flatMap((one) => one.anchors.map((anchor) => [anchor,
    Y.createAbsolutePositionFromRelativePosition(
      Y.decodeRelativePosition(new Uint8Array(Buffer.from(anchor, 'base64'))), one.doc, false)?.index ?? null]))
}))
process.stdout.write(JSON.stringify(result) + '\n', () => process.exit(0))
