(function(use,load,meta,require){"use strict";use("chunk-FYZMYHMT.js");use("chunk-DCOUGUKU.js");use("chunk-LYEQCO5K.js");use("chunk-2JAJ2V45.js");use("chunk-G6NDLDFR.js");use("chunk-P6UV3LLU.js");use("chunk-YBTAAL3A.js");use("chunk-H2FW6HGO.js");use("chunk-AM2K4NXB.js");use("chunk-KBVBNEIN.js");use("chunk-6NTNUPXR.js");use("chunk-JGSFIJ5T.js");use("chunk-3E5D5CZJ.js");use("chunk-HDEVVJVD.js");use("chunk-QLB3KRDP.js");use("chunk-3UDTZWDL.js");use("chunk-NJZNRZ66.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                        
                                                                                                                                                                        
                                                                                                                                                                        
                            var I,x=()=>I??=require                 ("node:crypto");var d=(...t)=>x().createHash(...t);var y=(...t)=>x().generateKeyPairSync(...t);var g=(...t)=>x().randomBytes(...t);var h=(...t)=>x().sign(...t);var b=864e5,K={before:b,after:397*b};function F(t,e){let m=y("ec",{namedCurve:"P-256"}),i=y("ec",{namedCurve:"P-256"}),s=S("perp sim run, for one run only"),a={issuer:s,issuerKey:m,now:e},u=B({...a,subject:s,
publicKey:m.publicKey,extensions:[c(p.basicConstraints,!0,o(r(1,Buffer.from([255])),r(2,Buffer.from([0])))),c(p.keyUsage,!0,H(6,1))]}),f=B({...a,subject:S(t[0]),publicKey:i.publicKey,extensions:[c(p.basicConstraints,
!0,o()),c(p.keyUsage,!0,H(128,7)),c(p.extendedKeyUsage,!1,o(p.serverAuthentication)),c(p.subjectAltName,!1,o(...t.map(E)))]});return{key:i.privateKey.export({type:"pkcs8",format:"pem"}).toString(),certificate:D(
f),authority:D(u)}}function B({issuer:t,issuerKey:e,subject:m,publicKey:i,extensions:s,now:a}){let u=o(p.ecdsaWithSha256),f=g(16);f[0]=f[0]&127|64;let k=[c(p.subjectKeyId,!1,r(4,v(i))),c(p.authorityKeyId,
!1,o(r(128,v(e.publicKey))))],l=o(r(160,r(2,Buffer.from([2]))),r(2,f),u,t,o(C(a-K.before),C(a+K.after)),m,i.export({type:"spki",format:"der"}),r(163,o(...s,...k))),P=h("sha256",l,e.privateKey);return o(
l,u,r(3,Buffer.from([0]),P))}var p={commonName:n("550403"),subjectKeyId:n("551d0e"),keyUsage:n("551d0f"),subjectAltName:n("551d11"),basicConstraints:n("551d13"),authorityKeyId:n("551d23"),extendedKeyUsage:n(
"551d25"),serverAuthentication:n("2b06010505070301"),ecdsaWithSha256:n("2a8648ce3d040302")};function n(t){return r(6,Buffer.from(t,"hex"))}function S(t){return o(r(49,o(p.commonName,r(12,Buffer.from(t.
slice(0,64))))))}function c(t,e,m){return o(t,...e?[r(1,Buffer.from([255]))]:[],r(4,m))}function E(t){return r(130,Buffer.from(t,"ascii"))}function H(t,e){return r(3,Buffer.from([e,t]))}function C(t){
return r(23,Buffer.from(`${new Date(t).toISOString().slice(2,19).replace(/[-:T]/g,"")}Z`))}function v(t){return d("sha1").update(t.export({type:"spki",format:"der"})).digest()}function o(...t){return r(
48,...t)}function r(t,...e){let m=Buffer.concat(e),{length:i}=m,s=i<128?[i]:i<256?[129,i]:[130,i>>8,i&255];return Buffer.concat([Buffer.from([t,...s]),m])}function D(t){return`-----BEGIN CERTIFICATE--\
---
${(t.toString("base64").match(/.{1,64}/g)??[]).join(`
`)}
-----END CERTIFICATE-----
`}                            

return{certificateFor:F}})