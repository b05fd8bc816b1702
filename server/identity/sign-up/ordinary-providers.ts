/**
 * Providers of permanent mailboxes: mail services, telephone companies, universities. The lists of disposable
 * domains contain a few of them, or a suffix of theirs; those entries are ignored. Relays that provide any
 * number of addresses (duck.com, mozmail.com) are not here: we treat their addresses as disposable.
 */
export const ordinaryProviders: readonly string[] = `
  gmail.com googlemail.com outlook.com outlook.fr outlook.de outlook.es outlook.it outlook.co.uk
  hotmail.com hotmail.fr hotmail.co.uk hotmail.de hotmail.it hotmail.es live.com live.fr live.co.uk
  live.nl live.de live.it msn.com passport.com yahoo.com yahoo.fr yahoo.co.uk yahoo.de yahoo.it yahoo.es
  yahoo.ca yahoo.co.jp yahoo.co.in yahoo.com.br yahoo.com.au ymail.com rocketmail.com aol.com aol.fr
  aim.com icloud.com me.com mac.com proton.me protonmail.com protonmail.ch pm.me fastmail.com fastmail.fm
  hey.com mail.com email.com usa.com post.com europe.com gmx.com gmx.de gmx.net gmx.at gmx.ch gmx.fr
  web.de t-online.de freenet.de arcor.de 1und1.de online.de posteo.de posteo.net mailbox.org tutanota.com
  tutanota.de tuta.io tuta.com tutamail.com keemail.me vodafone.de kabelmail.de orange.fr wanadoo.fr
  free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr club-internet.fr cegetel.net voila.fr
  aliceadsl.fr libero.it tiscali.it virgilio.it alice.it tin.it tim.it fastwebnet.it inwind.it iol.it
  poste.it pec.it telefonica.net movistar.es terra.es terra.com.br uol.com.br bol.com.br ig.com.br
  globo.com globomail.com sapo.pt telenet.be skynet.be proximus.be scarlet.be belgacom.net ziggo.nl
  kpnmail.nl kpnplanet.nl planet.nl xs4all.nl hetnet.nl home.nl casema.nl chello.nl upcmail.nl bluewin.ch
  hispeed.ch sunrise.ch infomaniak.com ik.me a1.net aon.at chello.at liwest.at btinternet.com bt.com
  btopenworld.com sky.com talktalk.net virginmedia.com virgin.net ntlworld.com blueyonder.co.uk
  plusnet.com tiscali.co.uk o2.co.uk eircom.net telia.com bredband.net comhem.se spray.se online.no
  hotmail.no getmail.no tele2.se telenor.no tdcadsl.dk mail.dk jubii.dk stofanet.dk elisanet.fi
  kolumbus.fi luukku.com suomi24.fi wp.pl o2.pl onet.pl onet.eu interia.pl interia.eu gazeta.pl op.pl
  poczta.fm poczta.onet.pl tlen.pl seznam.cz email.cz centrum.cz post.cz volny.cz atlas.cz azet.sk
  centrum.sk zoznam.sk freemail.hu citromail.hu indamail.hu t-online.hu abv.bg mail.bg dir.bg yahoo.ro
  otenet.gr forthnet.gr yandex.ru yandex.com ya.ru mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru
  ukr.net i.ua meta.ua bigmir.net inbox.lv inbox.lt mail.ee qq.com vip.qq.com foxmail.com 163.com 126.com
  yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn tom.com naver.com daum.net hanmail.net
  nate.com kakao.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp au.com i.softbank.jp nifty.com biglobe.ne.jp
  ocn.ne.jp so-net.ne.jp plala.or.jp rediffmail.com indiatimes.com sify.com zoho.com zohomail.com zoho.eu
  zohomail.eu zohomail.in comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net
  earthlink.net juno.com netzero.net optonline.net roadrunner.com rr.com frontier.com frontiernet.net
  windstream.net centurylink.net embarqmail.com mindspring.com q.com bell.net bell.ca sympatico.ca
  rogers.com shaw.ca telus.net videotron.ca cogeco.ca eastlink.ca bigpond.com bigpond.net.au
  optusnet.com.au iinet.net.au internode.on.net tpg.com.au xtra.co.nz slingshot.co.nz mweb.co.za
  telkomsa.net vodamail.co.za walla.co.il walla.com 012.net.il netvision.net.il bezeqint.net mynet.com
  superonline.com ttmail.com hushmail.com runbox.com lavabit.com countermail.com mailfence.com
  startmail.com disroot.org riseup.net autistici.org kolabnow.com migadu.com soverin.net
  privaterelay.appleid.com lycos.com excite.com inbox.com prodigy.net.mx prodigy.net hotmail.com.br
  hotmail.com.ar yahoo.com.ar fibertel.com.ar speedy.com.ar arnet.com.ar vtr.net une.net.co cantv.net
  singnet.com.sg starhub.net.sg pacific.net.sg netvigator.com hinet.net seed.net.tw pchome.com.tw
  yahoo.com.tw yahoo.com.hk streamyx.com tm.net.my indosat.net.id telkom.net yahoo.co.id viettel.vn
  vnn.vn fpt.vn mit.edu stanford.edu harvard.edu berkeley.edu cmu.edu caltech.edu princeton.edu yale.edu
  columbia.edu cornell.edu umich.edu utexas.edu gatech.edu ox.ac.uk cam.ac.uk imperial.ac.uk ucl.ac.uk
  ed.ac.uk kcl.ac.uk manchester.ac.uk ethz.ch epfl.ch student.ethz.ch uzh.ch tum.de mytum.de lmu.de
  rwth-aachen.de kit.edu fu-berlin.de hu-berlin.de uni-heidelberg.de uni-bonn.de stud.uni-goettingen.de
  polytechnique.edu polytechnique.fr ens.fr ens.psl.eu sorbonne-universite.fr etu.sorbonne-universite.fr
  universite-paris-saclay.fr centralesupelec.fr etu.univ-lyon1.fr insa-lyon.fr univ-grenoble-alpes.fr
  ac-paris.fr ac-versailles.fr kuleuven.be student.kuleuven.be ugent.be uva.nl student.uva.nl tudelft.nl
  student.tudelft.nl uu.nl students.uu.nl leidenuniv.nl kth.se chalmers.se lu.se uu.se uio.no ntnu.no
  stud.ntnu.no ku.dk dtu.dk student.dtu.dk helsinki.fi aalto.fi polimi.it mail.polimi.it unibo.it
  studio.unibo.it uniroma1.it studenti.uniroma1.it unipd.it sns.it ub.edu upm.es alumnos.upm.es uam.es
  ucm.es uc3m.es upc.edu ulisboa.pt tecnico.ulisboa.pt up.pt edu.ulisboa.pt uw.edu.pl student.uw.edu.pl
  uj.edu.pl agh.edu.pl student.agh.edu.pl pw.edu.pl cuni.cz cvut.cz muni.cz elte.hu bme.hu univie.ac.at
  tuwien.ac.at student.tuwien.ac.at tugraz.at student.tugraz.at utoronto.ca mail.utoronto.ca ubc.ca
  student.ubc.ca mcgill.ca mail.mcgill.ca uwaterloo.ca umontreal.ca unimelb.edu.au student.unimelb.edu.au
  anu.edu.au sydney.edu.au uni.sydney.edu.au auckland.ac.nz aucklanduni.ac.nz u-tokyo.ac.jp
  g.ecc.u-tokyo.ac.jp kyoto-u.ac.jp titech.ac.jp tsinghua.edu.cn mails.tsinghua.edu.cn pku.edu.cn
  stu.pku.edu.cn sjtu.edu.cn snu.ac.kr kaist.ac.kr nus.edu.sg u.nus.edu e.ntu.edu.sg iitb.ac.in
  iitd.ac.in iisc.ac.in usp.br unicamp.br unam.mx uba.ar uct.ac.za technion.ac.il campus.technion.ac.il
  huji.ac.il cern.ch cnrs.fr inria.fr mpg.de fraunhofer.de desy.de
`
  .trim()
  .split(/\s+/);

/** Suffixes under which anybody can register (publicsuffix.org), where a list contains the suffix itself. */
export const publicSuffixes: readonly string[] = ['edu.pl', 'web.id', 'id.pl', 'eu.org', 'net.ee'];
