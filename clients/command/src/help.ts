export const HELP = `almanac-post puts posts on the calendar of an Almanac.

  almanac-post login [--url https://almanac.example.com]
  almanac-post post "Fresh bread" --to bluesky,x --at "tomorrow 9:00" --media loaf.jpg
  almanac-post validate "Fresh bread" --to bluesky --at now
  almanac-post list [--from "monday 0:00"] [--days 14] [--status draft,scheduled]
  almanac-post results ID [--wait]
  almanac-post media loaf.jpg https://example.com/oven.mp4
  almanac-post push posts/*.md [--update]
  almanac-post watch [--after POSITION] [--types post.posted,post.failed]

Of posts:
  --brand NAME     the brand, by its name or id; needed where the key sees several
  --to NAMES       networks; all accounts of the brand where it is left out
  --at WHEN        by the clocks of the brand: "tomorrow 9:00", "in 2 hours", "2030-06-01 09:00", now
  --draft          publishes nothing; --ask: a draft that people are asked to approve and schedule
  --media FILE     a file or an address; several times for several, each with --alt TEXT
  --title, --website, --privacy, --type    where a network has it
  --wait           waits until it is published and prints the results
  -                in place of the text: reads it from standard input

With --json everything is printed as JSON. Address and key come from ALMANAC_URL and ALMANAC_KEY, or from login.
It ends with 0 when done, 1 when something failed, 2 for wrong use, 3 when the service refused it, 4 when it was not reached.
`
