import { LIMITS } from '#contract'

/**
 * What stands at the top of every list of leaked passwords and is long enough to pass. Shorter ones are refused for
 * their length.
 */
const COMMON = new Set(
  `0000000000 0123456789 0987654321 1111111111 111222333444 1122334455 11223344556677 1212121212 121212121212 123123123123
  1231231234 1234512345 123454321 1234554321 123456123456 12345678900 123456789000 1234567890 12345678901 12345678910
  123456789101 1234567890123 123456789a 123456789abc 123456789q 1234567891 12345qwert 123abc123abc 1234qwer1234 147258369
  1472583690 159753456 1a2b3c4d5e 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc
  2222222222 3333333333 5555555555 6666666666 7777777777 8888888888 9876543210 9999999999 987654321a a1b2c3d4e5
  a1234567890 a123456789 abc1234567 abc123456789 abcd123456 abcd12345678 abcde12345 abcdefghij abcdefghijk abcdefghijkl
  access1234 admin12345 admin123456 adminadmin administrator aaaaaaaaaa asdfasdfasdf asdfghjkl123 asdfghjklqwertyuiop
  asdfqwer1234 baseball123 basketball changeme123 changemenow charlie123 chocolate1 computer123 default1234 dragon1234
  football12 football123 helloworld hello12345 iloveyou12 iloveyou123 iloveyou1234 iloveyou2 internet123 jordan1234
  justinbieber letmein123 letmein1234 liverpool1 liverpoolfc login12345 loveyou123 manchester master1234 michael123
  monkey1234 mypassword mypassword1 p@ssw0rd123 p@ssword123 pa55word123 pass123456 passpass123 passw0rd123 passw0rd12
  password00 password01 password10 password11 password12 password123 password1234 password12345 password123456 password2020
  password2021 password2022 password2023 password2024 password2025 password2026 password99 passwordpassword password!!
  password!1 password.1 password1! password123! princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx1234 qazwsxedc1
  qazwsxedc123 qazwsxedcrfv qwe123qwe123 qweasdzxc123 qweasdzxc1 qweqweqwe1 qwer123456 qwer12345678 qwert12345
  qwert123456 qwerty1234 qwerty12345 qwerty123456 qwerty123456789 qwertyqwerty qwertyuiop qwertyuiop1 qwertyuiop123
  qwertyuiop[] qwertyuiopasdfghjkl secret1234 shadow1234 starwars123 sunshine12 sunshine123 superman12 superman123
  test123456 test1234567 testtest123 testtesttest thisismypassword trustno1234 unknown123 user123456 welcome123
  welcome1234 welcome12345 whatever123 xxxxxxxxxx zaq12wsxcde3 zxcvbnm123 zxcvbnm1234 zxcvbnmasdfghjkl`.split(/\s+/),
)

/**
 * Why a text is no good as a new password for that address, as the end of a sentence that begins with
 * "The password"; null when it is good. Its length and that others do not think of it first are all that counts
 * (NIST SP 800-63B-4, 3.1.1.2, read 2026-11-21).
 */
export function passwordProblem(password: string, email: string): string | null {
  const { min, max } = LIMITS.password
  // As it is hashed: however a keyboard writes a letter.
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < min) return `needs at least ${min} characters`
  if ([...password].length > max || length > max) return `must have at most ${max} characters`
  if (!password.isWellFormed() || password.includes('\0')) return 'has a character that cannot be used'
  const plain = text.toLowerCase().trim()
  const [localPart = ''] = email.split('@', 1)
  if (plain === email.toLowerCase() || plain === localPart.toLowerCase()) return 'must not be your email address'
  if (COMMON.has(plain) || new Set(plain).size <= 1) return 'is one of those that everybody tries first'
  return null
}
