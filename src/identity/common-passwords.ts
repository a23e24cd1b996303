import { LIMITS } from '#contract'

/** Found on lists of leaked passwords, and not on that of the library. */
const MORE = `0000000000 0123456789 0987654321 1111111111 111222333444 11223344556677 1212121212 121212121212 123123123123 1231231234
  1234512345 123456123456 1234567890123 123abc123abc 1234qwer1234 1q2w3e4r5t6y7u 2222222222 3333333333 5555555555 6666666666
  7777777777 8888888888 9876543210 9999999999 abc1234567 abcd12345678 abcdefghij abcdefghijk abcdefghijkl access1234
  admin12345 admin123456 adminadmin aaaaaaaaaa asdfasdfasdf asdfghjklqwertyuiop asdfqwer1234 baseball123 changeme123
  changemenow computer123 default1234 dragon1234 hello12345 iloveyou1234 internet123 jordan1234 letmein1234 login12345
  loveyou123 master1234 monkey1234 mypassword1 p@ssw0rd123 p@ssword123 pa55word123 pass123456 passpass123 passw0rd123
  passw0rd12 password12345 password123456 password2020 password2021 password2022 password2023 password2024 password2025
  password2026 password!! password!1 password.1 password1! password123! princess12 princess123 qweqweqwe1 qwer123456
  qwer12345678 qwert123456 qwertyqwerty qwertyuiop[] qwertyuiopasdfghjkl secret1234 shadow1234 sunshine12 sunshine123
  test123456 test1234567 testtest123 testtesttest thisismypassword trustno1234 unknown123 user123456 welcome1234
  welcome12345 whatever123 xxxxxxxxxx zxcvbnmasdfghjkl`

let read: Promise<ReadonlySet<string>> | null = null

/** Passwords that others think of first, in lower case, those that are long enough to be chosen. Read when they are first needed. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  read ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const listed = [...(dictionary['passwords-common'] as readonly string[]), ...MORE.split(/\s+/)]
    return new Set(listed.map((word) => word.toLowerCase()).filter((word) => word.length >= LIMITS.password.min))
  })
  return read
}
