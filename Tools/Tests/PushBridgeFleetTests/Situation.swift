import Foundation
import PushBridgeFleet
import Testing

/// Hand-written events of a fleet, and the verdict to which they must lead.
struct Situation: CustomTestStringConvertible {
    let name: String
    var phase = 1
    var release: String?
    let expected: FleetVerdict.Decision
    /// The rule of an expected cause; `nil` if no cause is expected.
    ///
    /// The next two properties are the measure and the system version of the cause.
    var rule: FleetVerdict.Rule?
    var measure: FleetMeasure?
    var system: String?
    var installed = FleetInstalled()
    var until: String?
    let lines: [String]

    var testDescription: String { name }
}

/// Writes events as lines of JSON, without the type that an app uses for its events.
struct Phones {
    static let systems = ["iOS 26.1.0", "iOS 26.0.1", "iOS 18.7.2", "iOS 17.7.10"]
    private var ids = 0

    /// Returns one event for each of `count` phones.
    ///
    /// The events differ only in their ids and, if `system` is `nil`, in the system version: the phones then have
    /// the four versions in `systems`.
    mutating func callAsFunction(
        _ count: Int,
        _ outcome: String = "complete",
        attempt: Int = 1,
        step: String = "apply",
        release: String = "5.0 (500)",
        system: String? = nil,
        reason: String? = nil,
        counts: String = #"[{"kind":"push","outcome":"migrated","proven":true,"count":2}]"#,
        duration: String = "under100ms",
        day: String = "2026-11-03",
        schema: Int = 1,
        more: String = ""
    ) -> [String] {
        (0..<count).map { index in
            ids += 1
            let id = "00000000-0000-4000-8000-\(String(format: "%012d", ids))"
            let reasons = reason.map { #"[{"code":"\#($0)","count":1}]"# } ?? "[]"
            let system = system ?? Self.systems[index % Self.systems.count]
            return #"{"schema":\#(schema),"attemptId":"\#(id)","attempt":\#(attempt),"step":"\#(step)","#
                + #""outcome":"\#(outcome)","counts":\#(counts),"reasons":\#(reasons),"duration":"\#(duration)","#
                + #""source":"keychain","versions":{"app":"\#(release)","system":"\#(system)","package":"1"},"#
                + #""day":"\#(day)","guardHeld":false\#(more)}"#
        }
    }
}

extension Situation {
    /// The situations.
    ///
    /// The numbers that decide the verdicts follow from the Clopper-Pearson bounds. If only a few of many phones
    /// fail, these bounds nearly equal the Poisson bounds. For 5 failures, the upper bound at 99 % is 13.1. For
    /// 10 failures, it is 20.1.
    static let all: [Situation] = {
        var phones = Phones()
        let failed = #"[]"#
        let troubled = #"[{"kind":"push","outcome":"damaged","proven":false,"count":1}]"#
        let unproven = #"[{"kind":"push","outcome":"migrated","proven":false,"count":1}]"#
        return [
            // By default, the phase of 1 % of the phones requires events of 500 phones.
            Situation(name: "no event at all", expected: .hold, rule: .tooFewPhones, lines: []),
            Situation(name: "too few phones", expected: .hold, rule: .tooFewPhones, lines: phones(499)),
            Situation(name: "just enough phones", expected: .continue, lines: phones(500)),
            Situation(
                name: "enough for 1 %, too few for 100 %",
                phase: 100,
                expected: .hold,
                rule: .tooFewPhones,
                lines: phones(2000)
            ),
            Situation(
                name: "one bad system version",
                expected: .stop,
                rule: .aboveLimit,
                measure: .failed,
                system: "iOS 18.7.2",
                lines: phones(2000)
                    + phones(60, "failed", system: "iOS 18.7.2", reason: "storeFailed", counts: failed)
            ),
            Situation(
                name: "a rare system version with one failure of eight",
                expected: .continue,
                lines: phones(1000) + phones(7, system: "iOS 16.0.0")
                    + phones(1, "failed", system: "iOS 16.0.0", reason: "other", counts: failed)
            ),
            // 50 failures of 10,000 are certainly more than 0.25 %, but no single version is certainly above this
            // limit.
            Situation(
                name: "a constant failure rate of 0.5 % on all versions",
                expected: .stop,
                rule: .aboveLimit,
                measure: .failed,
                lines: phones(9950) + phones(50, "interrupted", counts: failed, duration: "none")
            ),
            // 5 failures of 1000 are compatible with a rate of up to 1.31 %. The phase of 1 % of the phones
            // allows up to 2.5 %.
            Situation(
                name: "a constant failure rate of 0.5 %, and too few phones to detect it",
                expected: .continue,
                lines: phones(995) + phones(5, "failed", reason: "other", counts: failed)
            ),
            // 10 failures of 2000 are compatible with a rate of up to 1.0 %. The phase of 20 % of the phones
            // allows only 0.75 %.
            Situation(
                name: "a failure rate of 0.5 % at a later phase",
                phase: 20,
                expected: .hold,
                rule: .notYetSure,
                measure: .failed,
                lines: phones(1990) + phones(10, "failed", reason: "other", counts: failed)
            ),
            Situation(
                name: "200 phones whose events arrive three times",
                expected: .hold,
                rule: .tooFewPhones,
                lines: {
                    let once = phones(200); return once + once + once
                }()
            ),
            Situation(
                name: "one failure that arrives 200 times",
                expected: .continue,
                lines: phones(1000)
                    + Array(repeating: phones(1, "failed", reason: "other", counts: failed)[0], count: 200)
            ),
            Situation(
                name: "one phone that fails at 300 launches",
                expected: .continue,
                lines: phones(1000)
                    + (1...300).flatMap { phones(1, "failed", attempt: $0, reason: "other", counts: failed) }
            ),
            // An attempt that first reports that it is complete, and later that it failed, counts as failed:
            // 25 of 500.
            Situation(
                name: "events of one attempt that contradict each other",
                expected: .stop,
                rule: .aboveLimit,
                measure: .failed,
                lines: {
                    let lines = phones(500)
                    let late = lines.prefix(25).map {
                        $0.replacingOccurrences(of: #""outcome":"complete""#, with: #""outcome":"failed""#)
                    }
                    return lines + late
                }()
            ),
            Situation(
                name: "clocks that are wrong by decades, and invalid days",
                expected: .continue,
                lines: phones(400) + phones(50, day: "1970-01-01") + phones(50, day: "2099-12-31")
                    + phones(20, day: "yesterday") + phones(20, day: "0000-00-00")
            ),
            Situation(
                name: "an old release that fails beside a sound new one",
                expected: .stop,
                rule: .aboveLimit,
                measure: .failed,
                lines: phones(600)
                    + phones(100, "failed", release: "4.9 (490)", reason: "other", counts: failed)
                    + phones(300, release: "4.9 (490)")
            ),
            Situation(
                name: "only the newer release is judged, beside an old one that fails",
                release: "5.0 (500)",
                expected: .continue,
                lines: phones(600)
                    + phones(100, "failed", release: "4.9 (490)", reason: "other", counts: failed)
                    + phones(300, release: "4.9 (490)")
            ),
            Situation(
                name: "a release whose number sorts before the older one as text",
                expected: .hold,
                rule: .tooFewPhones,
                lines: phones(600, release: "9.9") + phones(100, release: "10.0")
            ),
            // 4 % of the phones have unreadable records, less than the limit of 5 %. But with the other release, the
            // share is only 0.2 %.
            Situation(
                name: "a release that reads fewer records than the release before",
                expected: .hold,
                rule: .worseThanOthers,
                measure: .unreadable,
                lines: phones(1920) + phones(80, "partial", reason: "damaged", counts: troubled)
                    + phones(1996, release: "4.9 (490)")
                    + phones(4, "partial", release: "4.9 (490)", reason: "damaged", counts: troubled)
            ),
            Situation(
                name: "permanently sealed records on 2 % of the phones, after restored backups",
                expected: .continue,
                lines: phones(980) + phones(20, "partial", reason: "undecryptable", counts: troubled)
            ),
            // An invalid field or secret in the legacy record counts as a fault of the record and not as a
            // fault of the release.
            Situation(
                name: "records with invalid fields or secrets on 2 % of the phones",
                expected: .continue,
                lines: phones(980) + phones(10, "partial", reason: "invalidField", counts: troubled)
                    + phones(10, "partial", reason: "invalidSecret", counts: troubled)
            ),
            Situation(
                name: "members that this version does not know",
                expected: .continue,
                lines: phones(500, more: #","colour":{"of":["the","app"]},"os":null"#)
            ),
            Situation(
                name: "a reason that this version does not know",
                expected: .stop,
                rule: .aboveLimit,
                measure: .refused,
                lines: phones(500) + phones(50, "partial", reason: "somethingNew", counts: troubled)
            ),
            Situation(
                name: "2 % of the lines cut off",
                expected: .hold,
                rule: .unreadLines,
                lines: phones(980) + phones(20).map { String($0.dropLast(40)) }
            ),
            Situation(
                name: "0.5 % of the lines cut off",
                expected: .continue,
                lines: phones(995) + phones(5).map { String($0.dropLast(40)) }
            ),
            Situation(
                name: "events in a newer format",
                expected: .hold,
                rule: .unreadLines,
                lines: phones(900) + phones(100, schema: 2)
            ),
            Situation(
                name: "an outcome that this version does not know",
                expected: .hold,
                rule: .unreadLines,
                lines: phones(900) + phones(100, "exploded")
            ),
            // 10 phones of 1000 are certainly more than the limit of 0.1 %.
            Situation(
                name: "phones held back by the guard",
                expected: .stop,
                rule: .aboveLimit,
                measure: .held,
                lines: phones(990) + phones(10, "interrupted", counts: failed)
                    + phones(10, "interrupted", attempt: 2, counts: failed)
                    + phones(10, "held", attempt: 2, counts: failed)
            ),
            Situation(
                name: "records that arrived and were not proven",
                expected: .stop,
                rule: .aboveLimit,
                measure: .unproven,
                lines: phones(990) + phones(10, "partial", reason: "notReadBack", counts: unproven)
            ),
            Situation(
                name: "locked records on most phones",
                expected: .stop,
                rule: .aboveLimit,
                measure: .locked,
                lines: phones(400) + phones(600, "locked", reason: "locked", counts: failed)
            ),
            Situation(
                name: "attempts that were locked first and failed afterwards",
                expected: .stop,
                rule: .aboveLimit,
                measure: .failed,
                lines: phones(500) + phones(100, "locked", reason: "locked", counts: failed)
                    + phones(100, "failed", attempt: 2, reason: "storeFailed", counts: failed)
            ),
            Situation(
                name: "an attempt in ten that takes most of a minute",
                expected: .stop,
                rule: .aboveLimit,
                measure: .slow,
                lines: phones(900) + phones(100, duration: "under1min")
            ),
            Situation(
                name: "a sound migration, and a removal that fails",
                expected: .stop,
                rule: .aboveLimit,
                measure: .failed,
                lines: phones(1000) + phones(900, attempt: 2, step: "retire")
                    + phones(
                        100,
                        "failed",
                        attempt: 2,
                        step: "retire",
                        reason: "sourceNotWritable",
                        counts: failed
                    )
            ),
            Situation(
                name: "counts that are negative, too large or of the wrong type",
                expected: .continue,
                lines: phones(500)
                    + phones(2, counts: #"[{"kind":"push","outcome":"migrated","proven":true,"count":-5}]"#)
                    + phones(
                        2,
                        counts: #"[{"kind":"push","outcome":"migrated","proven":true,"count":1e300}]"#
                    )
                    + phones(1, counts: #"{"push":7}"#)
            ),
        ]
    }()
}
