(function(use,load,meta,require){"use strict";const {a:y}=use("chunk-C465YLMB.js");const {a:R,b:T,c:V,e:A,g:N,h:O}=use("chunk-MXPAKJQK.js");use("chunk-UEKKPDH4.js");const {Bd:g,al:x,ba:l,bl:E,el:h,hi:b,hl:P,il:S,jl:f,vl:C}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                      
                                                                                                      var k={"max-events":{value:"N",kind:"count",summary:"stop after N events"},for:{value:"DURATION",kind:"duration",summary:"stop after this time, such as 30s or 10m"},"idle-timeout":{value:"DURATION",kind:"\
duration",summary:"exit 7 if no event arrives within this time"}},D=u("ticks","ticks",R,"Print the last price, midpoint and mark as they change"),L=u("books","books",V,"Print the best 50 levels of the\
 book as they change"),U=u("trades","trades",T,"Print every trade"),_={summary:"Print candles as they form, and again when they close",description:"After a lost connection, missing candles are filled \
in. perp candles lists past candles.",args:[{name:"market",kind:"market",repeat:!0,summary:"id, coin or symbol"}],options:{interval:{value:"LENGTH",choices:b,repeat:!0,summary:"length of a candle (def\
ault 1m)"},history:{value:"N",kind:"count",maximum:1e3,summary:"number of closed candles to start with (default 0)"},...k},examples:[["perp stream candles BTC --interval 1s --for 2s","one candle per s\
econd"],["perp stream candles BTC --interval 1m --interval 5m --history 10 --max-events 10","two candle lengths"]],run(t,r){let i=r.interval??[];return $(t,r,A,{channel:"candles",intervals:i.length>0?
[...new Set(i)]:["1m"],historyLimit:r.history??0})}},G=u("stats","marketStats",N,"Print mark, 24-hour change and volume as they change"),J={summary:"Print account changes: orders, fills, positions, ba\
lances",description:"Starts with a snapshot of each account, which is one event. After a lost connection, the stream resumes where it stopped and prints nothing twice. --account selects one account.",
options:k,examples:[["perp stream account --for 2s","changes in the next two seconds"],["perp stream account --max-events 1 -o ndjson","the first snapshot"]],run(t,r){return y(t,r,{view:O,subject:"acc\
ount"},async({tell:i,fail:e,table:p})=>{let m=t.settings.account,n=o=>"account_id"in o&&(m===void 0||o.account_id===m),s=f(t,e),d=await C(t,await x(t),{onFrame:o=>{n(o)?i(o):o.type==="error"&&t.note(o.
message)},onState:h(t,"account",p,e),onEnd:e});return()=>{s(),d()}})}};async function $(t,r,i,{channel:e,...p}){let m=await Promise.all(r.market.map(n=>g(t,n)));return y(t,r,{view:i,subject:"market"},
async({tell:n,fail:s,table:d})=>{let o=await E(t),{MarketFollower:F}=await load  ("./market-follower-CJ3N2SOM.js"),v=new F({transport:o,onState:h(t,"market",d,s),onRun:c=>t.memory.tookRun(c)});for(let{provider:c,
symbols:j}of P(m)){let w=e!=="trades";v.subscribe(e,{symbols:j,providers:[c],...p},{events:a=>{w&&a.forEach(n)},live:()=>{w=!0},refused:({message:a})=>s(S(a)),gap:({channel:a,symbol:B,from:H,to:I})=>t.
note(`The ${a} of ${c}|${B} between ${l(H)} and ${l(I)} are missing.`)})}let M=f(t,s);return()=>{M(),v.close()}})}function u(t,r,i,e){return{summary:e,args:[{name:"market",kind:"market",repeat:!0,summary:"\
id, coin or symbol"}],options:k,examples:[[`perp stream ${t} BTC ETH --for 2s`,"two markets, for two seconds"],[`perp stream ${t} BTC --max-events 1 -o ndjson`,"one JSON line"]],run:(p,m)=>$(p,m,i,{channel:r})}}
var rt={ticks:D,books:L,trades:U,candles:_,stats:G,account:J};                       

return{commands:rt}})