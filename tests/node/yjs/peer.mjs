// Real Yjs documents behind standard input and output: one request a line, one answer a line.
// Offsets are Yjs's own, UTF-16 units; bytes travel as base64. The argument is the folder in
// which the packages lie.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const Y = createRequire(process.argv[2] + '/package.json')('yjs')
const peers = new Map()
const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'))
const base64 = (data) => Buffer.from(data).toString('base64')

const verbs = {
  open ({ peer, client, gc }) {
    const doc = new Y.Doc({ gc })
    doc.clientID = client
    const text = doc.getText('content')
    const undo = new Y.UndoManager(text, { captureTimeout: 0 })
    peers.set(peer, { doc, text, undo, made: [] })
    doc.on('update', (update, origin) => {
      if (origin !== 'elsewhere') peers.get(peer).made.push(base64(update))
    })
  },
  // Each edit is [index, how much to delete, what to insert], in one transaction.
  edit ({ peer, edits }) {
    const { doc, text } = peers.get(peer)
    doc.transact(() => {
      for (const [index, gone, added] of edits) {
        if (gone) text.delete(index, gone)
        if (added) text.insert(index, added)
      }
    })
    return made(peer)
  },
  undo ({ peer }) {
    peers.get(peer).undo.undo()
    return made(peer)
  },
  redo ({ peer }) {
    peers.get(peer).undo.redo()
    return made(peer)
  },
  apply ({ peer, updates }) {
    for (const update of updates) Y.applyUpdate(peers.get(peer).doc, bytes(update), 'elsewhere')
  },
  merge ({ updates }) {
    return base64(Y.mergeUpdates(updates.map(bytes)))
  },
  text ({ peer }) {
    // Half of a pair cannot travel; it becomes the sign that its UTF-8 would be.
    return peers.get(peer).text.toString().toWellFormed()
  },
  vector ({ peer }) {
    return Object.fromEntries(Y.decodeStateVector(Y.encodeStateVector(peers.get(peer).doc)))
  },
  state ({ peer, vector }) {
    const since = vector === undefined ? undefined : bytes(vector)
    return base64(Y.encodeStateAsUpdate(peers.get(peer).doc, since))
  },
  anchor ({ peer, places }) {
    const { text } = peers.get(peer)
    return places.map(([index, side]) =>
      base64(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, index, side))))
  },
  // Undone deletions are followed by the peer that undid them only: others cannot know.
  resolve ({ peer, anchors }) {
    const { doc } = peers.get(peer)
    return anchors.map((anchor) => Y.createAbsolutePositionFromRelativePosition(
      Y.decodeRelativePosition(bytes(anchor)), doc, false)?.index ?? null)
  }
}

function made (peer) {
  return peers.get(peer).made.splice(0)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { verb, ...rest } = JSON.parse(line)
  process.stdout.write(JSON.stringify(verbs[verb](rest) ?? null) + '\n')
}
