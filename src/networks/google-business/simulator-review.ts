import { measureImage } from '../kit/measure-image.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { SimulatedPost } from './simulator-posts.ts'

const MIN_BYTES = 10 * 1024
const MAX_BYTES = 5 * 1024 * 1024
const MIN_SIDE = 250

/** A plus or a zero and at least eight more digits. Google's policy allows no phone numbers in the text of posts. */
const PHONE_NUMBER = /(?:\+|\b0)\d(?:[\s().-]{0,2}\d){7,}/

type Judgement = Pick<SimulatedPost, 'state' | 'photo'>

/** What becomes of a post after it was taken: its photo is fetched now, and no reason is ever given. */
export async function judgePost(deps: SimulatorDeps, post: SimulatedPost): Promise<Judgement> {
  const rejected: Judgement = { state: 'REJECTED', photo: null }
  if (PHONE_NUMBER.test(post.summary)) return rejected
  if (post.sourceUrl === null) return { state: 'LIVE', photo: null }
  const file = await deps.fetchFile(post.sourceUrl, { maxBytes: MAX_BYTES })
  if (file === null || file === 'too large' || file.bytes < MIN_BYTES) return rejected
  const facts = await measureImage(await deps.store.getBlob(file.blobId))
  const fits = facts !== null && facts.width >= MIN_SIDE && facts.height >= MIN_SIDE
  if (!fits || (facts.format !== 'jpeg' && facts.format !== 'png')) return rejected
  return { state: 'LIVE', photo: { blobId: file.blobId, mimeType: `image/${facts.format}` } }
}
