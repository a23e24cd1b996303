import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { fieldErrors } from './field-errors.ts'

const error = (path: string, message: string) =>
  new ApiError({
    status: 400,
    code: 'request:invalid_body',
    message,
    errors: [{ path, pointer: '', code: 'request:invalid_body', message }],
  })

test('a message at a field does not name the field as programs do', () => {
  expect(fieldErrors(error('email', 'email must have at most 254 characters.'))).toEqual({
    email: 'This must have at most 254 characters.',
  })
})

test.each(['Emails are checked.', 'A name must have a letter.', 'emails must differ.'])(
  '%s stays as it is',
  (message) => {
    expect(fieldErrors(error('email', message))).toEqual({ email: message })
  },
)
