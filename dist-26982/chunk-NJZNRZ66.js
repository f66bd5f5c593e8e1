(function(use,load,meta,require){"use strict";
var y=[["hyperliquid","xyz:AAPL","AAPL",3,5,"tradfi",null],["binance","AAVEUSDT","AAVE",1,3,"crypto","0.01"],["binance","ADAUSDT","ADA",0,3,"crypto","0.0001"],["binance","AEROUSDT","AERO",1,2,"crypto",
"0.0001"],["binance","ALGOUSDT","ALGO",1,2,"crypto","0.00001"],["binance","AMDUSDT","AMD",2,5,"tradfi","0.01"],["hyperliquid","xyz:AMZN","AMZN",3,5,"tradfi",null],["binance","ANTHROPICUSDT","ANTHROPIC",
2,5,"tradfi","0.01"],["binance","APTUSDT","APT",1,2,"crypto","0.001"],["binance","ARBUSDT","ARB",1,2,"crypto","0.0001"],["binance","ARMUSDT","ARM",2,5,"tradfi","0.01"],["binance","ASTERUSDT","ASTER",0,
3,"crypto","0.0001"],["binance","ATOMUSDT","ATOM",2,2,"crypto","0.001"],["binance","AVAXUSDT","AVAX",0,3,"crypto","0.001"],["binance","AVGOUSDT","AVGO",2,5,"tradfi","0.01"],["binance","BABAUSDT","BABA",
2,5,"tradfi","0.01"],["binance","BCHUSDT","BCH",3,3,"crypto","0.01"],["binance","BEUSDT","BE",2,5,"tradfi","0.01"],["binance","BMNRUSDT","BMNR",2,5,"tradfi","0.01"],["binance","BNBUSDT","BNB",2,8,"cry\
pto","0.01"],["binance","1000BONKUSDT","1000BONK",0,2,"crypto","0.000001"],["hyperliquid","xyz:BRENTOIL","BRENTOIL",2,8,"tradfi",null],["binance","BTCUSDT","BTC",3,10,"crypto","0.1"],["hyperliquid","C\
ASHCAT","CASHCAT",0,2,"crypto",null],["binance","CLUSDT","CL",2,8,"tradfi","0.01"],["binance","COHRUSDT","COHR",2,5,"tradfi","0.01"],["binance","COINUSDT","COIN",2,5,"tradfi","0.01"],["binance","COPPE\
RUSDT","COPPER",1,5,"tradfi","0.001"],["binance","CRCLUSDT","CRCL",2,5,"tradfi","0.01"],["binance","CRVUSDT","CRV",1,2,"crypto","0.0001"],["binance","CRWVUSDT","CRWV",2,5,"tradfi","0.01"],["binance","\
CXMTUSDT","CXMT",2,5,"tradfi","0.01"],["binance","DASHUSDT","DASH",3,2,"crypto","0.01"],["binance","DELLUSDT","DELL",2,5,"tradfi","0.01"],["binance","DOGEUSDT","DOGE",0,5,"crypto","0.00001"],["binance",
"DOTUSDT","DOT",1,2,"crypto","0.001"],["binance","DRAMUSDT","DRAM",2,5,"tradfi","0.01"],["binance","ENAUSDT","ENA",0,3,"crypto","0.0001"],["binance","ETCUSDT","ETC",2,2,"crypto","0.001"],["binance","E\
THUSDT","ETH",3,10,"crypto","0.01"],["binance","ETHFIUSDT","ETHFI",1,2,"crypto","0.0001"],["hyperliquid","xyz:EUR","EUR",1,50,"fx",null],["binance","EWYUSDT","EWY",2,5,"tradfi","0.01"],["binance","FAR\
TCOINUSDT","FARTCOIN",1,2,"crypto","0.0001"],["binance","FETUSDT","FET",0,2,"crypto","0.0001"],["binance","FILUSDT","FIL",1,2,"crypto","0.001"],["hyperliquid","xyz:GOLD","GOLD",4,10,"tradfi",null],["b\
inance","GOOGLUSDT","GOOGL",2,4,"tradfi","0.01"],["binance","GRAMUSDT","GRAM",1,2,"crypto","0.0001"],["binance","HBARUSDT","HBAR",0,2,"crypto","0.00001"],["binance","HOODUSDT","HOOD",2,5,"tradfi","0.0\
1"],["binance","HYPEUSDT","HYPE",2,5,"crypto","0.001"],["binance","ICPUSDT","ICP",0,2,"crypto","0.001"],["binance","INJUSDT","INJ",1,2,"crypto","0.001"],["binance","INTCUSDT","INTC",2,5,"tradfi","0.01"],
["hyperliquid","xyz:JP225","JP225",5,5,"tradfi",null],["hyperliquid","xyz:JPY","JPY",2,50,"fx",null],["binance","JTOUSDT","JTO",0,2,"crypto","0.0001"],["binance","JUPUSDT","JUP",0,2,"crypto","0.0001"],
["binance","KAITOUSDT","KAITO",1,2,"crypto","0.0001"],["binance","LDOUSDT","LDO",0,2,"crypto","0.0001"],["binance","LINKUSDT","LINK",2,3,"crypto","0.001"],["binance","LITUSDT","LIT",1,3,"crypto","0.00\
01"],["hyperliquid","xyz:LLY","LLY",4,5,"tradfi",null],["binance","LTCUSDT","LTC",3,3,"crypto","0.01"],["binance","METAUSDT","META",2,5,"tradfi","0.01"],["binance","MONUSDT","MON",0,2,"crypto","0.0000\
1"],["binance","MRVLUSDT","MRVL",2,5,"tradfi","0.01"],["hyperliquid","xyz:MSFT","MSFT",3,5,"tradfi",null],["binance","MSTRUSDT","MSTR",2,2,"tradfi","0.01"],["binance","MUUSDT","MU",2,5,"tradfi","0.01"],
["binance","NATGASUSDT","NATGAS",1,5,"tradfi","0.001"],["binance","NBISUSDT","NBIS",2,5,"tradfi","0.01"],["binance","NEARUSDT","NEAR",0,3,"crypto","0.001"],["binance","NVDAUSDT","NVDA",2,5,"tradfi","0\
.01"],["binance","ONDOUSDT","ONDO",1,2,"crypto","0.0001"],["binance","OPUSDT","OP",1,2,"crypto","0.0001"],["binance","OPENAIUSDT","OPENAI",2,5,"tradfi","0.01"],["binance","ORCLUSDT","ORCL",2,5,"tradfi",
"0.01"],["hyperliquid","xyz:PALLADIUM","PALLADIUM",4,5,"tradfi",null],["binance","PENDLEUSDT","PENDLE",0,2,"crypto","0.001"],["binance","PENGUUSDT","PENGU",0,2,"crypto","0.000001"],["binance","1000PEP\
EUSDT","1000PEPE",0,2,"crypto","0.0000001"],["hyperliquid","xyz:PLATINUM","PLATINUM",4,5,"tradfi",null],["binance","PLTRUSDT","PLTR",2,5,"tradfi","0.01"],["binance","POLUSDT","POL",0,3,"crypto","0.000\
01"],["binance","PONSUSDT","PONS",0,2,"crypto","0.00001"],["binance","PUMPUSDT","PUMP",0,2,"crypto","0.000001"],["binance","PYTHUSDT","PYTH",0,2,"crypto","0.00001"],["binance","QCOMUSDT","QCOM",2,5,"t\
radfi","0.01"],["binance","QQQUSDT","QQQ",2,5,"tradfi","0.01"],["binance","RENDERUSDT","RENDER",1,2,"crypto","0.001"],["binance","RKLBUSDT","RKLB",2,5,"tradfi","0.01"],["binance","SEIUSDT","SEI",0,2,"\
crypto","0.00001"],["binance","1000SHIBUSDT","1000SHIB",0,2,"crypto","0.000001"],["hyperliquid","xyz:SILVER","SILVER",2,8,"tradfi",null],["hyperliquid","xyz:SKHX","SKHX",3,5,"tradfi",null],["hyperliqu\
id","xyz:SMSN","SMSN",3,5,"tradfi",null],["binance","SNDKUSDT","SNDK",2,5,"tradfi","0.01"],["binance","SOLUSDT","SOL",2,8,"crypto","0.01"],["binance","SOXLUSDT","SOXL",2,2,"tradfi","0.01"],["hyperliqu\
id","xyz:SP500","SP500",3,12,"tradfi",null],["binance","SPCXUSDT","SPCX",2,5,"tradfi","0.01"],["binance","SPXUSDT","SPX",0,2,"crypto","0.0001"],["binance","SUIUSDT","SUI",1,3,"crypto","0.0001"],["bina\
nce","TAOUSDT","TAO",3,3,"crypto","0.01"],["binance","TRUMPUSDT","TRUMP",2,2,"crypto","0.001"],["binance","TRXUSDT","TRX",0,5,"crypto","0.00001"],["binance","TSLAUSDT","TSLA",2,5,"tradfi","0.01"],["bi\
nance","TSMUSDT","TSM",2,5,"tradfi","0.01"],["binance","UNIUSDT","UNI",0,3,"crypto","0.001"],["binance","VVVUSDT","VVV",2,2,"crypto","0.001"],["binance","WDCUSDT","WDC",2,5,"tradfi","0.01"],["binance",
"WIFUSDT","WIF",1,2,"crypto","0.0001"],["binance","WLDUSDT","WLD",0,3,"crypto","0.0001"],["binance","WLFIUSDT","WLFI",0,3,"crypto","0.00001"],["binance","XLMUSDT","XLM",0,2,"crypto","0.00001"],["binan\
ce","XMRUSDT","XMR",3,2,"crypto","0.01"],["binance","XPLUSDT","XPL",0,2,"crypto","0.0001"],["binance","XRPUSDT","XRP",1,8,"crypto","0.0001"],["hyperliquid","xyz:XYZ100","XYZ100",4,12,"tradfi",null],["\
binance","ZECUSDT","ZEC",3,3,"crypto","0.01"]],p=6,b=y.map(t),l=[["binance","BTCUSDT","BTC",3,10,"crypto","0.1"],["binance","ETHUSDT","ETH",3,10,"crypto","0.01"],["binance","SOLUSDT","SOL",2,8,"crypto",
"0.01"],["bybit","XRPUSDT","XRP",1,8,"crypto","0.0001"],["binance","DOGEUSDT","DOGE",0,5,"crypto","0.00001"],["binance","BNBUSDT","BNB",2,8,"crypto","0.01"],["hyperliquid","HYPE","HYPE",2,5,"crypto",null],
["hyperliquid","xyz:GOLD","GOLD",4,10,"tradfi",null],["hyperliquid","xyz:SP500","SP500",3,12,"tradfi",null],["hyperliquid","xyz:EUR","EUR",1,50,"fx",null]].map(t);function A(n){let i=e=>e.marketId===n;
return b.find(i)??l.find(i)}function f(n){let i=n.indexOf("|");return i<1||i===n.length-1?null:{provider:n.slice(0,i),coin:n.slice(i+1)}}function d(n){return Math.max(0,p-n)}var O=10;function u(n){let i=n.
slice(n.indexOf(":")+1);return/^(.+?)-?(USDT|USDC|USD)(-SWAP)?$/.exec(i)?.[1]??i}function t(n){let[i,e,a,c,T,D,r]=n,S=`${i}|${e}`,U=r===null?d(c):r.split(".")[1]?.length??0,o=r===null?null:Number(r.replace(
".",""));return{marketId:S,provider:i,symbol:a,coin:e,category:D,sizeDecimals:c,priceDecimals:U,tick:o,maxLeverage:T}}                                                         

return{a:b,b:l,c:A,d:f,e:d,f:O,g:u}})