import { type Backend, type BackendContext, type Sample, simulatorBackend } from '../conformance/index.ts'
import { openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network as instagram } from './index.ts'
import { OWN_SIGN_IN } from './manifest.ts'
import { simulate } from './simulator.ts'
import { account, writeOwnToken } from './simulator-own-sign-in.ts'

/** The simulator with one account. For tests alone. */
export function openStage(world: Parameters<typeof simulate>[1] = {}): Promise<Stage> {
  const network: Network = { ...instagram, simulate: (deps) => simulate(deps, world) }
  return openAnyStage(network, 'INSTAGRAM', { base: 'graph/v25.0' })
}

const { otherSignIns: others, oauth, ...connect } = instagram.connect
const { signIns: _, ...manifest } = instagram.manifest

/** The network with its own sign-in in place of the one by a Page. */
export const withoutPage: Network = {
  ...instagram,
  manifest,
  connect: { ...connect, ...(others?.[OWN_SIGN_IN] ? { oauth: others[OWN_SIGN_IN] } : {}) },
}

const SCOPES = ['basic', 'content_publish', 'manage_comments'].map((name) => `instagram_business_${name}`)

/** The simulator with an account that signed in without a Page, more than a day ago. */
export async function ownBackend(context: BackendContext): Promise<Backend> {
  const backend = await simulatorBackend(withoutPage, 'INSTAGRAM', context)
  const { simulator } = backend
  if (!simulator) throw new Error('The backend has no simulator.')
  return {
    ...backend,
    account: { ...backend.account, externalId: account.id, username: account.username },
    credentials: { accessToken: writeOwnToken(simulator.tokens, SCOPES), signIn: OWN_SIGN_IN },
  }
}

/** A stage of that network, whose account signs in first. */
export const openOwnStage = () => openAnyStage(withoutPage, 'INSTAGRAM', { base: 'loginGraph/v25.0' })

const FILES: Record<string, string[]> = {
  IMAGE: ['transparent.png'],
  CAROUSEL: ['transparent.png', 'transparent.png'],
  REEL: ['video-h264-aac.mp4'],
  STORY: ['photo.jpg'],
}
const tags = [{ text: 'baker', x: 0.5, y: 0.8 }]

/** A post of a type that the network takes. */
export function sample(type: string, more: Partial<Sample> = {}): Sample & Required<Pick<Sample, 'fields'>> {
  return {
    title: type,
    accountType: 'INSTAGRAM',
    caption: type === 'STORY' ? '' : 'Bread',
    media: (FILES[type] ?? []).map((file) => ({ file, altText: 'A loaf of bread', tags })),
    ...more,
    fields: { type, collaborators: [], ...more.fields },
  }
}

/** A post with a first comment. */
/** Several stories: each is a post of its own. */
export const stories = sample('STORY', {
  title: 'several stories',
  media: ['photo.jpg', 'video-h264-aac.mp4', 'transparent.png'].map((file) => ({ file })),
})

export const commented = (firstComment: string) => sample('IMAGE', { fields: { firstComment } })

/** Takes permissions out of what the dialog is asked for, by the ends of their names. */
export const declined =
  (...names: string[]) =>
  (url: URL): void => {
    const asked = url.searchParams.get('scope')?.split(',') ?? []
    const kept = asked.filter((scope) => !names.some((name) => scope.endsWith(name)))
    url.searchParams.set('scope', kept.join(','))
  }
