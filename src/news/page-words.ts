/** The words of pages that the server writes for guests of shared calendars, by id, in English: ICU messages. */
export const PAGE_WORDS = {
  'shared:over-title': 'This calendar is not shared any more',
  'shared:over': 'The link has ended, or it is not complete. Ask the people who sent it for a new one.',
  'shared:too-many-title': 'Too many wrong passcodes',
  'shared:too-many-seconds':
    'Too many wrong passcodes were tried. Try again in {seconds, plural, one {a second} other {# seconds}}, or use a browser in which you have opened the calendar before.',
  'shared:too-many-minutes':
    'Too many wrong passcodes were tried. Try again in {minutes, plural, one {a minute} other {# minutes}}, or use a browser in which you have opened the calendar before.',
  'shared:crowded-title': 'Many people open this calendar',
  'shared:crowded':
    'Too many people have opened it from your network within an hour. Try again in {minutes, plural, one {a minute} other {# minutes}}, or use a browser in which you have opened it before.',
  'shared:full-title': 'This calendar has as many guests as it can have',
  'shared:full':
    'Ask the people who sent you the link for a new one, or use a browser in which you have opened the calendar before.',
  'shared:passcode-title': 'This calendar has a passcode',
  'shared:passcode-label': 'Passcode',
  'shared:passcode-wrong': 'That is not the passcode. Try again.',
  'shared:passcode-button': 'Open the calendar',
  'shared:confirm-title': 'Confirm your address',
  'shared:confirm': 'News of a shared calendar will be mailed to this address.',
  'shared:confirm-button': 'Confirm',
  'shared:confirmed-title': 'Your address is confirmed',
  'shared:confirmed': 'You can close this page.',
  'shared:nothing-title': 'There is nothing to confirm',
  'shared:nothing':
    'The link has ended, or was used already. If you get no news, give your address again in the shared calendar.',
} as const
