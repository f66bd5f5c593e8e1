(function(use,load,meta,require){"use strict";const {b:f}=use("chunk-QEJJES6R.js");const {Ld:v,e:g,ed:k,ga:y,km:C,la:b,wa:h}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                            var T,R=()=>T??=require                 ("node:path"),A=t=>R()[t];var w=A("join");var x="tour",S={columns:80,rows:24};async function N(t,{isPlain:i,isRestarted:e}){let o=w(b(t.variables),"tour");h(o);let p=w(o,"tour.json"),r=M(t,o);try{if(e){let{resetState:l}=await load  ("./public-JEEFC6HQ.js"),
{beginning:d}=t.outside;(await l({stateDir:o,state:x,beginning:d,onSetAside:P=>t.note(`The damaged tour was saved as ${P}.`)})).close(),new f(p,!0).restart()}await r.call("simSetClock",{body:{running:!0}}).
catch(l=>{let d=y(l);throw d.code!=="store_corrupt"?l:new g({...d,hint:"perp tour --restart sets it aside and begins again."})});let{io:m,variables:u}=t,n=!i&&m.stdoutIsTerminal&&u.TERM!=="dumb"?await m.
terminal?.():void 0,a=n!==void 0&&n.columns>=S.columns&&n.rows>=S.rows,s=new f(p,a),c;try{a?c=await E(r,s,n):await(await load  ("./tour-lines-M3GME7HN.js")).tourLines(r,s)}finally{await r.call("simSe\
tClock",{body:{running:!1}})}return{kind:"text",text:F(s),...c!==void 0&&{exit:c}}}finally{await r.close()}}async function E(t,i,e){let[{LiveModel:o},{liveScreen:p},{TourGuide:r}]=await Promise.all([load  ("./live-model-NN2ZNZK6.js"),
load  ("./live-screen-V7SFRMLZ.js"),load  ("./tour-guide-PAC3EG7G.js")]),m=await k(t),u=m.filter(({symbol:s})=>s==="BTC"),n=new o({markets:m,watched:u,interval:"1m"}),{exit:a}=await p(t,n,e,{forMs:void 0,
guide:new r(i)});return a}function F({isOver:t,place:i,step:e,problem:o}){return t?`The tour is done. perp tour --restart begins again; perp watch shows your own simulation.
`:o!==void 0?`Left at step ${i}, ${e.name}, which could not be kept (${o}): perp tour goes on at an earlier one.
`:`Left at step ${i}, ${e.name}. perp tour goes on there, and its market waits for you.
`}function M(t,i){let{registry:e,lineReader:o,outside:p,palette:r}=t,m={...t.settings,environment:"sim",profile:void 0,strayOfHost:void 0,account:void 0,accountFrom:void 0,baseUrl:void 0,place:"",ofProfile:"",
ofAccount:"",afterEnd:"perp tour --restart",streams:{market:void 0,account:void 0},simulation:{state:x,plain:x,plainFrom:"--state",books:void 0,clock:void 0,speed:void 0},leverage:void 0,marginMode:void 0,
gapAllowanceBps:void 0,watchKeys:void 0,floorCheck:"refuse",unknownFloor:"warn",stops:"ask",requireStop:!1,confirmLive:"ask",yes:!1,fresh:!1,dryRun:!1,idempotencyKey:void 0};return new C({settings:m,registry:e,
lineReader:o,outside:{...p,variables:{...p.variables,PERP_STATE_DIR:i}},interruption:()=>t.signal,palette:m.color?r:v})}                      

return{takeTour:N}})