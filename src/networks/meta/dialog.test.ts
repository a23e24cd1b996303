import { expect, test } from 'vitest'
import { dialogAddress } from './login.ts'

const LOGIN = { required: ['pages_show_list', 'pages_manage_posts'], optional: ['business_management'] }

/** What the dialog is asked for. */
function asked(settings: Readonly<Record<string, string>>, again?: boolean) {
  const context = { endpoint: () => 'https://dialog.example', setting: (name: string) => settings[name] ?? '' }
  const ask = { state: 's', redirectUri: 'https://almanac.example', ...(again === undefined ? {} : { again }) }
  const { scope, config_id, auth_type } = Object.fromEntries(new URL(dialogAddress(context, LOGIN, ask)).searchParams)
  return { scope, config_id, auth_type }
}

test('a configuration takes the place of permissions, where the app has one', () => {
  expect(asked({ CONFIG_ID: '4711' })).toEqual({ config_id: '4711' })
})

test('optional permissions are left out as the operator says, and no others', () => {
  expect(asked({})).toEqual({ scope: 'pages_show_list,pages_manage_posts,business_management' })
  expect(asked({ WITHOUT_SCOPES: 'business_management' })).toEqual({ scope: 'pages_show_list,pages_manage_posts' })
  expect(asked({ WITHOUT_SCOPES: 'pages_show_list' }).scope).toContain('pages_show_list')
})

test('what was declined is asked for once more only after a sign-in that came to nothing', () => {
  expect(asked({}, true).auth_type).toBe('rerequest')
  expect(asked({}, false).auth_type).toBeUndefined()
})
