(function(use,load,meta,require){"use strict";const {a:y}=use("chunk-6L522D4K.js");const {Bh:b,Ki:S,Li:C,Mi:f,Pi:P,Qi:R,Ri:h,V:l,Wl:I,bj:x,cj:E,dj:O,fd:g,fj:T,hj:A,ij:V}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                        
                            var k={"max-events":{value:"N",kind:"count",summary:"stop after N events"},for:{value:"DURATION",kind:"duration",summary:"stop after this time, such as 30s or 10m"},"idle-timeout":{value:"DURATION",kind:"\
duration",summary:"exit 7 if no event arrives within this time"}},D=u("ticks","ticks",x,"Print the last price, midpoint and mark as they change"),L=u("books","books",O,"Print the best 50 levels of the\
 book as they change"),U=u("trades","trades",E,"Print every trade"),_={summary:"Print candles as they form, and again when they close",description:"After a lost connection, missing candles are filled \
in. perp candles lists past candles.",args:[{name:"market",kind:"market",repeat:!0,summary:"id, coin or symbol"}],options:{interval:{value:"LENGTH",choices:b,repeat:!0,summary:"length of a candle (def\
ault 1m)"},history:{value:"N",kind:"count",maximum:1e3,summary:"number of closed candles to start with (default 0)"},...k},examples:[["perp stream candles BTC --interval 1s --for 2s","one candle per s\
econd"],["perp stream candles BTC --interval 1m --interval 5m --history 10 --max-events 10","two candle lengths"]]};function G(t,o){let i=o.interval??[];return N(t,o,T,{channel:"candles",intervals:i.length>
0?[...new Set(i)]:["1m"],historyLimit:o.history??0})}var J=u("stats","marketStats",A,"Print mark, 24-hour change and volume as they change"),W={summary:"Print account changes: orders, fills, positions\
, balances",description:"Starts with a snapshot of each account, which is one event. After a lost connection, the stream resumes where it stopped and prints nothing twice. --account selects one accoun\
t.",options:k,examples:[["perp stream account --for 2s","changes in the next two seconds"],["perp stream account --max-events 1 -o ndjson","the first snapshot"]]};function q(t,o){return y(t,o,{view:V,
subject:"account"},async({tell:i,fail:m,table:a})=>{let n=t.settings.account,e=r=>"account_id"in r&&(n===void 0||r.account_id===n),p=h(t,m),d=await I(t,await S(t),{onFrame:r=>{e(r)?i(r):r.type==="erro\
r"&&t.note(r.message)},onState:f(t,"account",a,m),onEnd:m});return()=>{p(),d()}})}async function N(t,o,i,{channel:m,...a}){let n=await Promise.all(o.market.map(e=>g(t,e)));return y(t,o,{view:i,subject:"\
market"},async({tell:e,fail:p,table:d})=>{let r=await C(t),{MarketFollower:$}=await load  ("./market-follower-ZL7FKBL6.js"),v=new $({transport:r,onState:f(t,"market",d,p),onRun:c=>t.memory.tookRun(c)});for(let{
provider:c,symbols:M}of P(n)){let w=m!=="trades";v.subscribe(m,{symbols:M,providers:[c],...a},{events:s=>{w&&s.forEach(e)},live:()=>{w=!0},refused:({message:s})=>p(R(s)),gap:({channel:s,symbol:j,from:B,
to:H})=>t.note(`The ${s} of ${c}|${j} between ${l(B)} and ${l(H)} are missing.`)})}let F=h(t,p);return()=>{F(),v.close()}})}function u(t,o,i,m){return{command:{summary:m,args:[{name:"market",kind:"mar\
ket",repeat:!0,summary:"id, coin or symbol"}],options:k,examples:[[`perp stream ${t} BTC ETH --for 2s`,"two markets, for two seconds"],[`perp stream ${t} BTC --max-events 1 -o ndjson`,"one JSON line"]]},
run:(e,p)=>N(e,p,i,{channel:o})}}var it={ticks:D,books:L,trades:U,candles:{command:_,run:G},stats:J,account:{command:W,run:q}};                       

return{commands:it}})