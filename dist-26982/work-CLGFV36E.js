(function(use,load,meta,require){"use strict";const {lm:o,mm:i,nm:r,om:m}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                             var Ai={"accounts acknowledge-copy-stop":()=>load  ("./accounts-PXBRWN6I.js").then(({commands:t})=>t["acknowledge-copy-stop"]),"accounts list":()=>load  ("./accounts-PXBRWN6I.js").then(({commands:t})=>t.
list),"accounts policy":()=>load  ("./accounts-PXBRWN6I.js").then(({commands:t})=>t.policy),"accounts show":()=>load  ("./accounts-PXBRWN6I.js").then(({commands:t})=>t.show),"accounts use":()=>load  ("./accounts-PXBRWN6I.js").
then(({commands:t})=>t.use),api:()=>load  ("./api-42SODSMN.js"),approve:()=>load  ("./approve-OZ6WOOCH.js"),"audit show":()=>load  ("./audit-O3RGOV6W.js").then(({commands:t})=>t.show),
"audit verify":()=>load  ("./audit-O3RGOV6W.js").then(({commands:t})=>t.verify),batch:()=>load  ("./batch-UCWJOKTU.js"),"cancel-all":()=>load  ("./cancel-all-GE6RHVRU.js"),candles:()=>load  ("./candles-4MGH6E3K.js"),
chart:()=>load  ("./chart-7NKAMSJW.js"),"close-all":()=>load  ("./close-all-JEJUTWTH.js"),completion:()=>load  ("./completion-TXPNRMMU.js"),"config get":()=>load  ("./config-AJ2AS47V.js").
then(({commands:t})=>t.get),"config list":()=>load  ("./config-AJ2AS47V.js").then(({commands:t})=>t.list),"config rm":()=>load  ("./config-AJ2AS47V.js").then(({commands:t})=>t.rm),"config se\
t":()=>load  ("./config-AJ2AS47V.js").then(({commands:t})=>t.set),"copy delete":()=>load  ("./copy-JQ4D45E7.js").then(({commands:t})=>t.delete),"copy disable":()=>load  ("./copy-JQ4D45E7.js").
then(({commands:t})=>t.disable),"copy enable":()=>load  ("./copy-JQ4D45E7.js").then(({commands:t})=>t.enable),"copy list":()=>load  ("./copy-JQ4D45E7.js").then(({commands:t})=>t.list),"c\
opy save":()=>load  ("./copy-JQ4D45E7.js").then(({commands:t})=>t.save),day:()=>load  ("./day-PVIFGKEX.js"),doctor:()=>load  ("./doctor-4M5CSAYP.js"),fills:()=>load  ("./fills-LSRD7IUH.js"),
flatten:()=>load  ("./flatten-4DWFTOBI.js"),"gate flatten":()=>load  ("./gate-3TE77TD3.js").then(({commands:t})=>t.flatten),"gate key add":()=>load  ("./key-VKI7BJ6D.js").then(({commands:t})=>t.
add),"gate key list":()=>load  ("./key-VKI7BJ6D.js").then(({commands:t})=>t.list),"gate key revoke":()=>load  ("./key-VKI7BJ6D.js").then(({commands:t})=>t.revoke),"gate log":()=>load  ("./gate-3TE77TD3.js").
then(({commands:t})=>t.log),"gate resume":()=>load  ("./gate-3TE77TD3.js").then(({commands:t})=>t.resume),"gate serve":()=>load  ("./gate-3TE77TD3.js").then(({commands:t})=>t.serve),"gat\
e status":()=>load  ("./gate-3TE77TD3.js").then(({commands:t})=>t.status),"gate stop":()=>load  ("./gate-3TE77TD3.js").then(({commands:t})=>t.stop),"guard add":()=>load  ("./guard-E76XNE7F.js").
then(({commands:t})=>t.add),"guard rules":()=>load  ("./guard-E76XNE7F.js").then(({commands:t})=>t.rules),"guard run":()=>load  ("./guard-E76XNE7F.js").then(({commands:t})=>t.run),"guard s\
tatus":()=>load  ("./guard-E76XNE7F.js").then(({commands:t})=>t.status),"guard unlock":()=>load  ("./guard-E76XNE7F.js").then(({commands:t})=>t.unlock),"journal list":()=>load  ("./journal-QTK73YTX.js").
then(({commands:t})=>t.list),"journal note":()=>load  ("./journal-QTK73YTX.js").then(({commands:t})=>t.note),"journal one-r":()=>load  ("./journal-QTK73YTX.js").then(({commands:t})=>t["one-r"]),
"journal show":()=>load  ("./journal-QTK73YTX.js").then(({commands:t})=>t.show),"journal tag":()=>load  ("./journal-QTK73YTX.js").then(({commands:t})=>t.tag),"lab compare":()=>load  ("./lab-I6HLB6N7.js").
then(({commands:t})=>t.compare),"lab merge":()=>load  ("./lab-I6HLB6N7.js").then(({commands:t})=>t.merge),"lab report":()=>load  ("./lab-I6HLB6N7.js").then(({commands:t})=>t.report),"l\
ab run":()=>load  ("./run-Z2TOWIGE.js"),"lab show":()=>load  ("./lab-I6HLB6N7.js").then(({commands:t})=>t.show),"lab trials":()=>load  ("./lab-I6HLB6N7.js").then(({commands:t})=>t.
trials),ladder:()=>load  ("./ladder-CIS7JEV4.js"),login:()=>load  ("./login-HFJGZKUN.js"),logout:()=>load  ("./logout-HHTMSTXE.js"),"mandate add":()=>load  ("./mandate-2QSB6FHR.js").
then(({commands:t})=>t.add),"mandate check":()=>load  ("./mandate-2QSB6FHR.js").then(({commands:t})=>t.check),"mandate show":()=>load  ("./mandate-2QSB6FHR.js").then(({commands:t})=>t.show),"m\
andate sign":()=>load  ("./mandate-2QSB6FHR.js").then(({commands:t})=>t.sign),"markets list":()=>load  ("./markets-PCSRXIN4.js").then(({commands:t})=>t.list),"markets show":()=>load  ("./markets-PCSRXIN4.js").
then(({commands:t})=>t.show),mcp:()=>load  ("./mcp-HXHQOUT6.js"),odds:()=>load  ("./odds-X7RVKUXI.js"),"order amend":()=>load  ("./order-V4NZQJO3.js").then(({commands:t})=>t.amend),
"order cancel":()=>load  ("./order-V4NZQJO3.js").then(({commands:t})=>t.cancel),"order exits":()=>load  ("./order-V4NZQJO3.js").then(({commands:t})=>t.exits),"order explain":()=>load  ("./order-V4NZQJO3.js").
then(({commands:t})=>t.explain),"order list":()=>load  ("./list-ORJ47TVE.js"),"order place":()=>load  ("./place-HD4KR2RM.js"),"order show":()=>load  ("./order-V4NZQJO3.js").then(({commands:t})=>t.
show),"pending list":()=>load  ("./pending-HES5V4UQ.js").then(({commands:t})=>t.list),"pending resume":()=>load  ("./pending-HES5V4UQ.js").then(({commands:t})=>t.resume),"plan apply":()=>load  ("./plan-ABKAHMIF.js").
then(({commands:t})=>t.apply),"plan list":()=>load  ("./plan-ABKAHMIF.js").then(({commands:t})=>t.list),"plan rm":()=>load  ("./plan-ABKAHMIF.js").then(({commands:t})=>t.rm),"plan set":()=>load  ("./plan-ABKAHMIF.js").
then(({commands:t})=>t.set),"plan show":()=>load  ("./plan-ABKAHMIF.js").then(({commands:t})=>t.show),pnl:()=>load  ("./pnl-FEKE6JRF.js"),"positions close":()=>load  ("./positions-YJBMBCII.js").
then(({commands:t})=>t.close),"positions exits":()=>load  ("./exits-D4J26DI6.js"),"positions list":()=>load  ("./positions-YJBMBCII.js").then(({commands:t})=>t.list),"positions margin":()=>load  ("./positions-YJBMBCII.js").
then(({commands:t})=>t.margin),"positions show":()=>load  ("./positions-YJBMBCII.js").then(({commands:t})=>t.show),practice:()=>load  ("./practice-5H4UB4SP.js"),"profile add":()=>load  ("./profile-36T3VIV2.js").
then(({commands:t})=>t.add),"profile list":()=>load  ("./profile-36T3VIV2.js").then(({commands:t})=>t.list),"profile rm":()=>load  ("./profile-36T3VIV2.js").then(({commands:t})=>t.rm),"profile\
 show":()=>load  ("./profile-36T3VIV2.js").then(({commands:t})=>t.show),"profile use":()=>load  ("./profile-36T3VIV2.js").then(({commands:t})=>t.use),quote:()=>load  ("./quote-I3AVFX2O.js"),
report:()=>load  ("./report-SGQICUIJ.js"),reverse:()=>load  ("./reverse-QRWJJVNQ.js"),"scaled cancel":()=>load  ("./scaled-EIFYW4UN.js").then(({commands:t})=>t.cancel),"scaled list":()=>load  ("./scaled-EIFYW4UN.js").
then(({commands:t})=>t.list),"scaled place":()=>load  ("./scaled-EIFYW4UN.js").then(({commands:t})=>t.place),"scaled show":()=>load  ("./scaled-EIFYW4UN.js").then(({commands:t})=>t.show),schema:()=>load  ("./schema-462UWFJ4.js"),
"sdk link":()=>load  ("./link-EWFMI6LA.js"),"sim advance":()=>load  ("./advance-MBUYNZBI.js"),"sim bookmarks add":()=>load  ("./bookmarks-HOGWETZI.js").then(({commands:t})=>t.add),"sim bo\
okmarks list":()=>load  ("./bookmarks-HOGWETZI.js").then(({commands:t})=>t.list),"sim bookmarks rm":()=>load  ("./bookmarks-HOGWETZI.js").then(({commands:t})=>t.rm),"sim check":()=>load  ("./check-MBBMK3KI.js"),
"sim export":()=>load  ("./export-6VIFTFLG.js"),"sim feeds":()=>load  ("./feeds-BDXCREZI.js"),"sim fund":()=>load  ("./sim-4B5OVM7I.js").then(({commands:t})=>t.fund),"sim import":()=>load  ("./import-NT73HEK4.js"),
"sim key add":()=>load  ("./key-JXK2VIZV.js").then(({commands:t})=>t.add),"sim key expire":()=>load  ("./key-JXK2VIZV.js").then(({commands:t})=>t.expire),"sim key list":()=>load  ("./key-JXK2VIZV.js").
then(({commands:t})=>t.list),"sim key revoke":()=>load  ("./key-JXK2VIZV.js").then(({commands:t})=>t.revoke),"sim markets stats":()=>load  ("./stats-TCXZYFWG.js"),"sim merge":()=>load  ("./merge-WUYYUOWA.js"),
"sim pause":()=>load  ("./sim-4B5OVM7I.js").then(({commands:t})=>t.pause),"sim policy":()=>load  ("./policy-4RKSL242.js"),"sim record":()=>load  ("./record-HCXVNB7U.js"),"sim reset":()=>load  ("./reset-WGLCMLAH.js"),
"sim resume":()=>load  ("./sim-4B5OVM7I.js").then(({commands:t})=>t.resume),"sim run":()=>load  ("./run-LIPL2E3H.js"),"sim serve":()=>load  ("./serve-AHDV4VVE.js"),"sim status":()=>load  ("./sim-4B5OVM7I.js").
then(({commands:t})=>t.status),"sim tapes cat":()=>load  ("./tapes-C4REA6SN.js").then(({commands:t})=>t.cat),"sim tapes list":()=>load  ("./tapes-C4REA6SN.js").then(({commands:t})=>t.list),
"sim tapes slice":()=>load  ("./tapes-C4REA6SN.js").then(({commands:t})=>t.slice),"sim tapes verify":()=>load  ("./tapes-C4REA6SN.js").then(({commands:t})=>t.verify),"sim use":()=>load  ("./sim-4B5OVM7I.js").
then(({commands:t})=>t.use),"sim weather":()=>load  ("./sim-4B5OVM7I.js").then(({commands:t})=>t.weather),stop:()=>load  ("./stop-PXJGBKPF.js"),"stream account":()=>load  ("./stream-3MK5AD4J.js").
then(({commands:t})=>t.account),"stream books":()=>load  ("./stream-3MK5AD4J.js").then(({commands:t})=>t.books),"stream candles":()=>load  ("./stream-3MK5AD4J.js").then(({commands:t})=>t.candles),
"stream stats":()=>load  ("./stream-3MK5AD4J.js").then(({commands:t})=>t.stats),"stream ticks":()=>load  ("./stream-3MK5AD4J.js").then(({commands:t})=>t.ticks),"stream trades":()=>load  ("./stream-3MK5AD4J.js").
then(({commands:t})=>t.trades),target:()=>load  ("./target-F73N2F6M.js"),tour:()=>load  ("./tour-SBCHTGMX.js"),"twap cancel":()=>load  ("./twap-GCTEKAE4.js").then(({commands:t})=>t.
cancel),"twap list":()=>load  ("./twap-GCTEKAE4.js").then(({commands:t})=>t.list),"twap place":()=>load  ("./twap-GCTEKAE4.js").then(({commands:t})=>t.place),"twap show":()=>load  ("./twap-GCTEKAE4.js").
then(({commands:t})=>t.show),version:()=>load  ("./version-XEB3L2HX.js"),wait:()=>load  ("./wait-VOZQNY6K.js"),watch:()=>load  ("./watch-ZTQS4WIG.js"),whoami:()=>load  ("./whoami-ACBR7EGI.js")},
Bi=[()=>load  ("./client-KHJ3OBR4.js"),()=>load  ("./sim-NZG77QZG.js"),()=>load  ("./strategy-K3R4F72F.js")];                                                                                                  

return{askFor:i,commands:Ai,library:Bi,report:r,runCommand:o,terminalPrompts:m}})