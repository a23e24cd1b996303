import type { SimulatedAnswer } from '../../kit/faults.ts'
import type { SimulatorDeps } from '../../kit/simulation.ts'
import { refusal } from './answers.ts'

export interface Claims {
  scope: string
  sub: string
  /** Seconds. */
  exp: number
  jti: string
  aud?: string
  /** The one method that a token for another service may call. */
  lxm?: string
}

export interface Tokens {
  sign(claims: Claims): string
  /** The claims of the bearer token, or the answer that refuses it. */
  verify(authorization: string | undefined, now: Date): Claims | SimulatedAnswer
}

const KIND = 'session'

/** Tokens as servers make them: JWTs that only the server can check. */
export function openTokens({ tokens }: Pick<SimulatorDeps, 'tokens'>): Tokens {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  return {
    sign(claims) {
      const text = `${encode({ typ: 'at+jwt', alg: 'HS256' })}.${encode(claims)}`
      return `${text}.${tokens.sign(KIND, text)}`
    },
    verify(authorization, now) {
      const [scheme, token = ''] = authorization?.split(' ') ?? []
      if (scheme !== 'Bearer') return refusal(401, 'AuthMissing', 'Authentication Required')
      const [header = '', payload = '', signature = ''] = token.split('.')
      const text = `${header}.${payload}`
      if (!tokens.isSignature(KIND, text, signature)) {
        return refusal(400, 'InvalidToken', 'Token could not be verified')
      }
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
      if (claims.exp * 1000 <= now.getTime()) return refusal(400, 'ExpiredToken', 'Token has expired')
      return claims
    },
  }
}

export function isAnswer(value: object): value is SimulatedAnswer {
  return 'status' in value && 'body' in value
}
