import { type Delivery, followUpRules, isFollowUp, type PartRules, stageOf } from '#domain'
import { type Network, type Part, rulesOfPart } from '#networks'
import { type DeliveryRow, endedParts, partsToStore, type StoredPart, titleOfPart } from '#persistence'
import type { Run, Turn } from './turn.ts'

/** The rules of all parts that a row is known to have, by what the network makes of its post. */
export function rulesOf(row: DeliveryRow, parts: readonly Part[]): PartRules[] {
  const rules = parts.map(rulesOfPart)
  // Before the post is read, and of what the network knows no more: only the present part has to have any.
  for (let nth = rules.length + 1; nth <= endedParts(row).length; nth++) rules.push(unknownPart(row))
  return rules
}

/** By its state alone. What comes behind it is not known, so nothing does. */
function unknownPart(row: DeliveryRow): PartRules {
  const rules = followUpRules(titleOfPart(row))
  if (isFollowUp(row.state)) return rules
  const stage = stageOf(row.state)
  return { ...rules, prepares: stage === 'PREPARING', confirms: stage === 'CONFIRMING', needs: null, stopsRest: true }
}

/** The parts of a delivery as they are stored once `ended` have ended: with the present one, or at the end of all. */
export function storedParts({ policy }: Turn, ended: Delivery['ended'], { isOver } = { isOver: false }): StoredPart[] {
  const parts = policy.parts.slice(0, ended.length + (isOver ? 0 : 1))
  return partsToStore(ended, parts)
}

/**
 * The steps of the present part.
 *
 * @throws Error for a part that the network does not know, and for a step that it does not have
 */
export function stepsOf({ delivery, parts }: Run, { connector }: Network): Required<Omit<Part, keyof PartRules>> {
  const number = delivery.ended.length
  if (number === 0) return { ...connector, send: connector.publish }
  const part = parts[number - 1]
  if (!part) throw new Error('A delivery waits for a part that its network does not have.')
  const { prepare = noStep, send, confirm = noStep, find } = part
  return { prepare, send, confirm, find }
}

const noStep = () => {
  throw new Error('A part was asked for a step that it does not have.')
}
