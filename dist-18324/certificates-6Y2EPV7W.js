(function(use,load,meta,require){"use strict";use("chunk-NLL2ICG2.js");use("chunk-FJ7EUSIS.js");use("chunk-ORIE4NLH.js");use("chunk-N2EFIBC6.js");use("chunk-6Q25PMO6.js");use("chunk-2COXTXI7.js");use("chunk-R7NNUDXT.js");use("chunk-ZQR2XEI6.js");use("chunk-BCETIKKZ.js");use("chunk-TVPILZ7V.js");use("chunk-C3UGTXL4.js");use("chunk-T46WLBWL.js");use("chunk-WPAXU3OW.js");use("chunk-QV5JACLC.js");use("chunk-SXEH32IS.js");use("chunk-XXKGL3XC.js");use("chunk-VQDHJA7K.js");use("chunk-35VHSSJ7.js");use("chunk-OYAVDRFR.js");use("chunk-RU3MTBED.js");use("chunk-C3ANIK54.js");use("chunk-HDEVVJVD.js");use("chunk-2XDJ33NK.js");use("chunk-MQL63B4K.js");use("chunk-73EEFHGB.js");use("chunk-MGNB5FHG.js");use("chunk-BXOJXHV4.js");use("chunk-J7V3OSRK.js");use("chunk-FOSHI5BB.js");use("chunk-55T4UJIW.js");use("chunk-X7LU7ZOO.js");use("chunk-7VWHLLZN.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                        
                                                                                                                                                                        
                                                                                                                                                                        
                                                                                                                                                                        
                                                                                                                                                                        
                                                                                                                var I,x=()=>I??=require                 ("node:crypto");var d=(...t)=>x().createHash(...t);var y=(...t)=>x().generateKeyPairSync(...t);var g=(...t)=>x().randomBytes(...t);var h=(...t)=>x().sign(...t);var b=864e5,K={before:b,after:397*b};function F(t,i){let m=y("ec",{namedCurve:"P-256"}),e=y("ec",{namedCurve:"P-256"}),s=S("perp sim run, for one run only"),a={issuer:s,issuerKey:m,now:i},u=B({...a,subject:s,
publicKey:m.publicKey,extensions:[c(p.basicConstraints,!0,o(r(1,Buffer.from([255])),r(2,Buffer.from([0])))),c(p.keyUsage,!0,H(6,1))]}),f=B({...a,subject:S(t[0]),publicKey:e.publicKey,extensions:[c(p.basicConstraints,
!0,o()),c(p.keyUsage,!0,H(128,7)),c(p.extendedKeyUsage,!1,o(p.serverAuthentication)),c(p.subjectAltName,!1,o(...t.map(E)))]});return{key:e.privateKey.export({type:"pkcs8",format:"pem"}).toString(),certificate:D(
f),authority:D(u)}}function B({issuer:t,issuerKey:i,subject:m,publicKey:e,extensions:s,now:a}){let u=o(p.ecdsaWithSha256),f=g(16);f[0]=f[0]&127|64;let k=[c(p.subjectKeyId,!1,r(4,v(e))),c(p.authorityKeyId,
!1,o(r(128,v(i.publicKey))))],l=o(r(160,r(2,Buffer.from([2]))),r(2,f),u,t,o(C(a-K.before),C(a+K.after)),m,e.export({type:"spki",format:"der"}),r(163,o(...s,...k))),P=h("sha256",l,i.privateKey);return o(
l,u,r(3,Buffer.from([0]),P))}var p={commonName:n("550403"),subjectKeyId:n("551d0e"),keyUsage:n("551d0f"),subjectAltName:n("551d11"),basicConstraints:n("551d13"),authorityKeyId:n("551d23"),extendedKeyUsage:n(
"551d25"),serverAuthentication:n("2b06010505070301"),ecdsaWithSha256:n("2a8648ce3d040302")};function n(t){return r(6,Buffer.from(t,"hex"))}function S(t){return o(r(49,o(p.commonName,r(12,Buffer.from(t.
slice(0,64))))))}function c(t,i,m){return o(t,...i?[r(1,Buffer.from([255]))]:[],r(4,m))}function E(t){return r(130,Buffer.from(t,"ascii"))}function H(t,i){return r(3,Buffer.from([i,t]))}function C(t){
return r(23,Buffer.from(`${new Date(t).toISOString().slice(2,19).replace(/[-:T]/g,"")}Z`))}function v(t){return d("sha1").update(t.export({type:"spki",format:"der"})).digest()}function o(...t){return r(
48,...t)}function r(t,...i){let m=Buffer.concat(i),{length:e}=m,s=e<128?[e]:e<256?[129,e]:[130,e>>8,e&255];return Buffer.concat([Buffer.from([t,...s]),m])}function D(t){return`-----BEGIN CERTIFICATE--\
---
${(t.toString("base64").match(/.{1,64}/g)??[]).join(`
`)}
-----END CERTIFICATE-----
`}                            

return{certificateFor:F}})