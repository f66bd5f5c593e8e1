/** What `perp guard init` writes. */
export const rulesTemplate = `# Rules of perp guard (TOML). perp guard rules checks and explains them.
#
# Every rule that fires is printed and handed to exec. "do" says what else happens:
#   "lock"     perp refuses what adds exposure until the day turns (New York midnight)
#   "cancel"   every order is canceled, TWAPs and ladders too
#   "flatten"  every position is closed, and every order canceled
# Without "do", a rule does what stands beside it here. do = [] only alerts.
# A rule may be given several times: [[price]] instead of [price].

# account = "acc_1"            # refuse to guard any other
# zone = "America/New_York"    # of the times below; "local" is this machine's
# exec = ["notify-send", "perp"]   # gets every alert as JSON on its standard input

# [daily-stop]                 # loss since the day began, open positions included
# loss = "2%"                  # of the day's first equity; or "500usd"
# do = ["lock", "flatten"]

# [max-trades]                 # positions opened since the day began
# trades = 10
# do = ["lock"]

# [max-losses]                 # positions closed with a loss, in a row, since the day began
# losses = 3
# do = ["lock"]

# [no-trade]                   # locks until the hours end
# hours = ["22:00-02:00", "Fri 16:00-24:00", "Sat-Sun"]
# do = ["lock"]

# [flatten-before]
# times = ["16:55", "Fri 16:30", "2026-12-10 08:25"]
# do = ["flatten"]

# [breach]                     # a common move of all marks that would reach a floor of the account
# within = "1%"
# do = []

# [trail]                      # stops follow the best price, only closer
# market = "BTC"               # without it: every position
# by = "1.5%"                  # or a distance in price: 200

# [[price]]
# market = "BTC"
# above = 100000               # and/or below
# do = []

# [fills]                      # an alert for every fill

# [heartbeat]                  # a dead man's switch: fires when the file is not touched for so long
# file = "/run/user/1000/bot.alive"
# max-age = "60s"
# do = ["flatten"]
`;
