// What y-protocols makes of messages, behind standard input and output: one request a line, one
// answer a line. Bytes travel as base64. The argument is the folder in which the packages lie.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const load = createRequire(process.argv[2] + '/package.json')
const Y = load('yjs')
const awareness = load('y-protocols/awareness')
const sync = load('y-protocols/sync')
const encoding = load('lib0/encoding')
const decoding = load('lib0/decoding')
const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'))
const base64 = (data) => Buffer.from(data).toString('base64')
const peers = new Map()

function peer (name) {
  if (!peers.has(name)) {
    const doc = new Y.Doc()
    peers.set(name, { doc, aware: new awareness.Awareness(doc) })
  }
  return peers.get(name)
}

function framed (kind, write) {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, kind)
  write(encoder)
  return base64(encoding.toUint8Array(encoder))
}

const verbs = {
  number ({ value }) {
    const encoder = encoding.createEncoder()
    encoding.writeVarUint(encoder, value)
    return base64(encoding.toUint8Array(encoder))
  },
  client ({ name }) {
    return peer(name).doc.clientID
  },
  step1 ({ name }) {
    return framed(0, (encoder) => sync.writeSyncStep1(encoder, peer(name).doc))
  },
  step2 ({ name }) {
    return framed(0, (encoder) => sync.writeSyncStep2(encoder, peer(name).doc))
  },
  update ({ name, text }) {
    const { doc } = peer(name)
    let made = null
    doc.once('update', (update) => { made = update })
    doc.getText('content').insert(0, text)
    return framed(0, (encoder) => sync.writeUpdate(encoder, made))
  },
  // Takes a message in and returns its answer, if there is one.
  read ({ name, data }) {
    const { doc } = peer(name)
    const decoder = decoding.createDecoder(bytes(data))
    const kind = decoding.readVarUint(decoder)
    const answer = framed(kind, (encoder) => sync.readSyncMessage(decoder, encoder, doc, 'elsewhere'))
    return { answer, text: doc.getText('content').toString() }
  },
  say ({ name, state }) {
    peer(name).aware.setLocalState(state)
    return verbs.said({ name })
  },
  said ({ name }) {
    const { aware } = peer(name)
    const update = awareness.encodeAwarenessUpdate(aware, [aware.clientID])
    return framed(1, (encoder) => encoding.writeVarUint8Array(encoder, update))
  },
  // Takes states in; returns all that are known, with their counts.
  hear ({ name, data }) {
    const { aware } = peer(name)
    const decoder = decoding.createDecoder(bytes(data))
    decoding.readVarUint(decoder)
    awareness.applyAwarenessUpdate(aware, decoding.readVarUint8Array(decoder), 'elsewhere')
    return verbs.known({ name })
  },
  known ({ name }) {
    const { aware } = peer(name)
    return [...aware.meta].map(([client, { clock }]) => [client, clock, aware.states.get(client) ?? null])
  },
  end () {
    for (const { aware } of peers.values()) aware.destroy()
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { verb, ...rest } = JSON.parse(line)
  process.stdout.write(JSON.stringify(verbs[verb](rest) ?? null) + '\n')
}
process.exit(0)
