import { randomBytes } from 'node:crypto'
import { DAY_MS, MINUTE_MS } from '#contract/durations'
import { answerConsent } from '../../../src/networks/kit/consent.ts'
import { type SimulatedAnswer, SimulatedRefusal } from '../../../src/networks/kit/faults.ts'
import { measureImage } from '../../../src/networks/kit/measure-image.ts'
import { record } from '../../../src/networks/kit/read-json.ts'
import { readBytes, readJson } from '../../../src/networks/kit/request-body.ts'
import { tokenEndpoint, tokenStore } from '../../../src/networks/kit/simulated-tokens.ts'
import type { Simulator, SimulatorDeps } from '../../../src/networks/kit/simulation.ts'
import { bearerIn, type Call, idFor, simulatedApi, usernameFor, visibly } from '../../../src/networks/kit/simulator.ts'
import { limits, manifest } from './manifest.ts'

/** A simulated account. */
interface Sender {
  userId: string
  /** Under which the ledger lists its cards. */
  ledgerId: string
  name: string
  handle: string
}

interface Picture {
  id: string
  userId: string
  blobId: string
  mimeType: string
  until: string
}

interface Card {
  id: string
  userId: string
  text: string
  pictures: string[]
  at: string
}

const ACCESS_MS = 120 * MINUTE_MS
const REFRESH_MS = 90 * DAY_MS
const CODE_MS = 5 * MINUTE_MS
const PAGE_SIZE = 20
const LISTED_AFTER_MS = 5_000
const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''

const errorAnswer = (status: number, code: string, message = ''): SimulatedAnswer => ({
  status,
  body: { error: { code, message } },
})
function refuse(...words: Parameters<typeof errorAnswer>): never {
  throw new SimulatedRefusal(errorAnswer(...words))
}
const invalid = (message: string) => refuse(400, 'invalid_request', message)
const oauthError = (status: number, error: string) => ({ status, body: { error, error_description: `${error}.` } })

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
const faultAnswers = {
  '500-before': errorAnswer(500, 'broken'),
  'rate-limited': { ...errorAnswer(429, 'slow_down'), headers: { 'retry-after': '30' } },
  'token-expired': errorAnswer(401, 'token_expired'),
  'media-rejected': errorAnswer(422, 'picture_unreadable'),
  'caption-too-long': errorAnswer(422, 'text_too_long'),
  'account-restricted': errorAnswer(403, 'account_restricted'),
  'account-suspended': errorAnswer(403, 'account_suspended'),
}

/** The simulated Postcards: sign-in, pictures, cards and their listing, in which a card appears late. */
export function simulate(deps: SimulatorDeps): Simulator {
  const tokens = tokenStore<{ sender: Sender; scope: string }>(deps, {
    access: { prefix: 'pca-', lastsMs: ACCESS_MS },
    refresh: { prefix: 'pcr-', lastsMs: REFRESH_MS, rotates: true },
  })
  return simulatedApi<Sender, string>(deps, {
    identityFor({ id, name }) {
      const sender = senderOf({ id, name }, id)
      const claims = { sender, scope: 'cards.read cards.write' }
      const { expiresAt, ...credentials } = tokens.session(id, claims, { accessMs: null })
      const { userId: externalId, handle: username } = sender
      return { externalId, name, username, profileUrl: null, avatarUrl: null, credentials, expiresAt }
    },
    authorize(request, scope) {
      const claims = tokens.access(bearerIn(request)) ?? refuse(401, 'token_expired')
      return claims.scope.split(' ').includes(scope) ? claims.sender : refuse(403, 'scope_missing')
    },
    notFound: errorAnswer(404, 'not_found'),
    tooLarge: errorAnswer(413, 'too_large'),
    open: {
      'GET /www/sign-in': ({ request, response }) =>
        answerConsent(deps, request, response, { title: 'Postcards', clientId: CLIENT_ID, codeLastsMs: CODE_MS }),
      'POST /api/v1/oauth/token': tokenEndpoint(tokens, {
        isClient: (form) => form.client_id === CLIENT_ID && deps.tokens.isSecret('CLIENT_SECRET', form.client_secret),
        refusals: {
          client: oauthError(401, 'invalid_client'),
          grantType: oauthError(400, 'unsupported_grant_type'),
          code: oauthError(400, 'invalid_grant'),
          redirectUri: oauthError(400, 'invalid_grant'),
          verifier: oauthError(400, 'invalid_grant'),
          refreshToken: oauthError(400, 'invalid_grant'),
        },
        signIn: ({ scope }) => ({ sender: senderOf({ id: 'who signs in', name: 'Demo Sender' }, null), scope }),
        body: ({ accessToken, refreshToken }, { scope }) => ({
          access_token: accessToken,
          expires_in: ACCESS_MS / 1000,
          refresh_token: refreshToken,
          scope,
        }),
      }),
    },
    routes: {
      'GET /api/v1/me': [
        'cards.read',
        ({ by }) => ({ status: 200, body: { id: by.userId, name: by.name, handle: by.handle } }),
      ],
      'POST /api/v1/pictures': ['cards.write', takePicture],
      'POST /api/v1/cards': ['cards.write', sendCard],
      'GET /api/v1/cards': ['cards.read', listCards],
    },
  })
}

const senderOf = ({ id, name }: { id: string; name: string }, ledgerId: string | null): Sender => {
  const userId = idFor(id, '7', 14)
  return { userId, ledgerId: ledgerId ?? userId, name, handle: usernameFor(name) }
}

async function takePicture({ deps, request, by }: Call<Sender>): Promise<SimulatedAnswer> {
  const bytes = await readBytes(request, limits.pictureBytes.value)
  const facts = await measureImage(bytes)
  const side = limits.pictureSide.value
  if (!facts || !['jpeg', 'png'].includes(facts.format) || Math.max(facts.width, facts.height) > side) {
    return refuse(422, 'picture_unreadable', 'A picture is a JPEG or PNG of at most 2000 pixels on each side.')
  }
  const picture: Picture = {
    id: `pic-${randomBytes(9).toString('hex')}`,
    userId: by.userId,
    blobId: await deps.store.putBlob(bytes),
    mimeType: `image/${facts.format}`,
    until: new Date(deps.now().getTime() + limits.pictureMinutes.value * MINUTE_MS).toISOString(),
  }
  deps.store.put('pictures', picture.id, picture)
  return { status: 201, body: { picture: picture.id, waits_until: picture.until } }
}

/** The one call that the world sees. */
async function sendCard(call: Call<Sender>): Promise<null> {
  const { deps, by } = call
  const body = record(await readJson(call.request)) ?? invalid('The body must be a JSON object.')
  return visibly(call, {
    key: [by.userId, body.text],
    text: body.text,
    answers: faultAnswers,
    accept: () => addCard(deps, by, body),
  })
}

function addCard(deps: SimulatorDeps, by: Sender, body: Readonly<Record<string, unknown>>): SimulatedAnswer {
  const { text, stamp, readers, pictures: given, ...others } = body
  const unknown = Object.keys(others)
  if (unknown.length > 0) return invalid(`There is no field ${unknown.join(', ')}.`)
  if (typeof text !== 'string' || text.trim() === '') return invalid('text is missing.')
  if ([...text].length > limits.textLength.value) return refuse(422, 'text_too_long')
  if (stamp !== 'LOCAL' && stamp !== 'ABROAD') return invalid('stamp must be LOCAL or ABROAD.')
  if (readers !== 'EVERYBODY' && readers !== 'FRIENDS') return invalid('readers must be EVERYBODY or FRIENDS.')
  const most = stamp === 'ABROAD' ? limits.picturesAbroad.value : limits.pictures.value
  if (!Array.isArray(given) || given.length > most) return invalid(`pictures must be a list of at most ${most}.`)
  const pictures = given.map((entry) => pictureOf(deps, by, record(entry)?.picture))
  const card: Card = {
    id: `card-${randomBytes(9).toString('hex')}`,
    userId: by.userId,
    text,
    pictures: pictures.map(({ id }) => id),
    at: deps.now().toISOString(),
  }
  deps.store.together(() => {
    deps.store.put('cards', card.id, card)
    // A picture is printed once.
    for (const { id } of pictures) deps.store.remove('pictures', id)
    deps.store.addPost({
      id: card.id,
      accountId: by.ledgerId,
      text,
      permalink: linkOf(deps, card),
      createdAt: card.at,
      media: pictures.map(({ blobId, mimeType }, index) => ({
        blobId,
        mimeType,
        alt: String(record(given[index])?.words ?? ''),
      })),
      details: { stamp, readers },
    })
  })
  return { status: 201, body: shown(deps, card) }
}

function pictureOf(deps: SimulatorDeps, by: Sender, id: unknown): Picture {
  const picture = deps.store.get<Picture>('pictures', String(id))
  if (picture?.userId !== by.userId || new Date(picture.until) <= deps.now()) return refuse(410, 'picture_gone')
  return picture
}

const linkOf = ({ url }: SimulatorDeps, { id }: Card) => `${url}/p/${id}`
const shown = (deps: SimulatorDeps, card: Card) => {
  const { id, text, pictures, at } = card
  return { id, text, pictures, sent_at: at, link: linkOf(deps, card) }
}

function listCards({ deps, by, query }: Call<Sender>): SimulatedAnswer {
  const since = new Date(query.get('since') ?? 0)
  if (Number.isNaN(since.getTime())) return invalid('since is no time.')
  const until = new Date(deps.now().getTime() - LISTED_AFTER_MS)
  const own = deps.store
    .list<Card>('cards')
    .filter(({ userId, at }) => userId === by.userId && new Date(at) >= since && new Date(at) <= until)
    .reverse()
  const start = Number(query.get('after') ?? 0)
  const next = start + PAGE_SIZE < own.length ? String(start + PAGE_SIZE) : null
  const cards = own.slice(start, start + PAGE_SIZE).map((card) => shown(deps, card))
  return { status: 200, body: { cards, next } }
}
