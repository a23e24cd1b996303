import { expect, test } from 'vitest'
import { appSettingsOf, networkAppsOf, settingsWithApps } from './apps.ts'
import type { Network } from './network.ts'

/** A network with an app for its sign-in, and one for another way to sign in. */
const manifest = {
  name: 'postcards',
  title: 'Postcards',
  settings: {
    CLIENT_ID: { description: 'Id.' },
    CLIENT_SECRET: { description: 'Secret.', secret: true },
    LOGIN_APP_ID: { description: 'Id of the other app.' },
    LOGIN_APP_SECRET: { description: 'Its secret.', secret: true },
    API_VERSION: { description: 'Version.', default: 'v1' },
    SIGNING_KEY: { description: 'Not of an app.', secret: true },
  },
}
const network = {
  manifest,
  connect: { oauth: { requires: ['CLIENT_ID', 'CLIENT_SECRET'] } },
} as unknown as Network
const apps = appSettingsOf(manifest)
const stored = (prefix: string) => ({ id: `${prefix}stored`, secret: `${prefix}hush` })

test('a secret and the id of the same beginning are an app, and nothing else is', () => {
  expect(networkAppsOf(network)).toMatchObject([
    { id: 'postcards', title: 'Postcards', needed: true, secretNeeded: true, idSetting: 'CLIENT_ID', check: null },
    { id: 'postcards.login', title: 'Postcards, login', needed: false, secretNeeded: true, prefix: 'LOGIN_' },
  ])
  expect(apps.map(({ secretSetting }) => secretSetting)).toEqual(['CLIENT_SECRET', 'LOGIN_APP_SECRET'])
})

test('what is stored holds where the environment sets nothing of an app', () => {
  expect(settingsWithApps(apps, { API_VERSION: 'v1' }, stored)).toEqual({
    API_VERSION: 'v1',
    CLIENT_ID: 'stored',
    CLIENT_SECRET: 'hush',
    LOGIN_APP_ID: 'LOGIN_stored',
    LOGIN_APP_SECRET: 'LOGIN_hush',
  })
  // Never half of one and half of the other.
  const half = settingsWithApps(apps, { CLIENT_ID: 'environment', LOGIN_APP_SECRET: 'environment' }, stored)
  expect(half).toEqual({ CLIENT_ID: 'environment', LOGIN_APP_SECRET: 'environment' })
  expect(settingsWithApps(apps, {}, () => null)).toEqual({})
  expect(settingsWithApps(apps, {}, () => ({ id: 'public', secret: '' }))).toEqual({
    CLIENT_ID: 'public',
    LOGIN_APP_ID: 'public',
  })
})
