import Foundation
import PushBridgeCommandLine
@_spi(PushBridgeTools) public import PushBridgeCore

/// A kind of trouble on phones; a policy limits the share of phones that have the trouble.
public enum FleetMeasure: String, CaseIterable, Codable, Sendable {
    /// An attempt failed as a whole, or ended without an outcome.
    case failed
    /// A record was stored but not verified.
    case unproven
    /// A record was not stored, for a reason other than a lock or the contents of the legacy record.
    case refused
    /// A record was not stored because the legacy record is damaged, permanently sealed, or of an unknown form.
    case unreadable
    /// A record, the legacy store or the destination was locked.
    case locked
    /// The guard holds back the phone.
    case held
    /// An attempt took ten seconds or more.
    case slow

    /// Returns the words that follow `41 of 5000 phones`, such as `have legacy records that cannot be read`.
    /// - Parameter step: The step of the phones' attempts. The words differ for a rehearsal and for a comparison of
    ///   two stores.
    /// - Returns: The words after the number of phones.
    public func words(of step: String) -> String {
        switch (self, step) {
        case (.unproven, "rehearse"): "have records that would arrive and not be proven"
        case (.refused, "rehearse"): "have records that would be refused"
        case (.unproven, "compare"): "have records that give different results in the two stores"
        case (.refused, "compare"): "have records whose contents differ between the stores"
        default: words
        }
    }

    private var words: String {
        switch self {
        case .failed: "failed, or ended without an outcome"
        case .unproven: "have records that arrived but were not proven"
        case .refused: "have records that were refused"
        case .unreadable: "have legacy records that cannot be read"
        case .locked: "had records that were locked"
        case .held: "are held back by the guard"
        case .slow: "took ten seconds or more"
        }
    }
}

/// The rules by which a roll-out continues, waits or stops.
public struct FleetPolicy: Equatable, Sendable {
    /// A phase of the roll-out, and its requirements before the next phase may begin.
    public struct Phase: Equatable, Sendable {
        /// The share of phones that are offered the release, in percent.
        public var percent: Int
        /// The required number of phones with an attempt.
        public var phones: Int
        /// The factor by which the upper bound of a share may exceed a limit, because a small number of
        /// phones cannot prove a low share.
        public var tolerance: Double
    }

    /// The confidence of a bound, such as 0.99.
    public var confidence = 0.99
    /// The share of lines that may be unreadable.
    public var unreadLines = 0.01
    /// The factor by which the share of a system version or release may exceed the share of the other phones.
    public var comparison = 2.0
    /// The share of the installed phones that must have sent an event; applies only if the number of installed phones
    /// is known.
    public var seen = 0.5
    /// For each measure, the share of phones above which the roll-out stops.
    public var limits: [FleetMeasure: Double] = [
        .failed: 0.0025, .unproven: 0.001, .refused: 0.0025, .unreadable: 0.05, .locked: 0.2, .held: 0.001,
        .slow: 0.05,
    ]
    /// The phases by increasing share.
    public var phases: [Phase] = [
        Phase(percent: 1, phones: 500, tolerance: 10),
        Phase(percent: 2, phones: 500, tolerance: 10),
        Phase(percent: 5, phones: 1000, tolerance: 5),
        Phase(percent: 10, phones: 1000, tolerance: 5),
        Phase(percent: 20, phones: 2000, tolerance: 3),
        Phase(percent: 50, phones: 5000, tolerance: 2),
        Phase(percent: 100, phones: 10_000, tolerance: 1),
    ]

    /// Creates the default policy.
    public init() {}

    /// Returns the phase in which this percentage of the phones is offered the release; `nil` if there is none.
    public func phase(percent: Int) -> Phase? { phases.first { $0.percent == percent } }

    /// Reads a policy; members that the file does not contain have their default values.
    /// - Parameter file: The path of the file.
    /// - Throws: ``CommandFailure`` if the file cannot be read or is not a policy.
    public init(contentsOf file: String) throws {
        let data = try Data(named: file)
        do {
            self = try JSONDecoder().decode(FleetPolicy.self, from: data)
        } catch let fault as Fault {
            throw CommandFailure(status: .unreadableInput, sentence: "\(file): \(fault.sentence)")
        } catch {
            let place = JSONFault(in: data).map { " (invalid JSON at \($0.words))" } ?? ""
            throw CommandFailure(
                status: .unreadableInput,
                sentence: """
                    \(file) is not a policy\(place): it has to be a JSON object like the one that fleet --default-policy prints.
                    """
            )
        }
    }

    fileprivate struct Fault: Error {
        let sentence: String
    }
}

extension FleetPolicy: Codable {
    private enum Member: String, CodingKey, CaseIterable {
        case schema, confidence, unreadLines, comparison, seen, limits, phases
    }

    /// Decodes a policy, which may be incomplete.
    /// - Throws: An error if a member is unknown or a number is out of its range.
    public init(from decoder: any Decoder) throws {
        let known = Set(Member.allCases.map(\.rawValue))
        let all = try JSONValue(from: decoder)
        guard case .object(let members) = all else {
            throw Fault(sentence: "A policy is a JSON object.")
        }
        if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw Fault(
                sentence: "A policy has no member \(other); it has \(known.sorted().joined(separator: ", "))."
            )
        }
        guard members["schema"] ?? 1 == 1 else {
            throw Fault(sentence: "The schema of this policy is not 1. This version supports only schema 1.")
        }
        confidence = try Self.number(members, "confidence", confidence, from: 0.5, below: 1)
        unreadLines = try Self.number(members, "unreadLines", unreadLines, from: 0, below: 1)
        comparison = try Self.number(members, "comparison", comparison, from: 1, below: 1_000_000)
        seen = try Self.number(members, "seen", seen, from: 0, below: 1)
        if let limits = members["limits"] {
            guard case .object(let named) = limits else {
                throw Fault(sentence: "The limits have to be an object with a share for each measure.")
            }
            for name in named.keys.sorted() {
                guard let measure = FleetMeasure(rawValue: name) else {
                    let names = FleetMeasure.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Fault(sentence: "There is no measure \(name). The measures are: \(names).")
                }
                self.limits[measure] = try Self.number(named, name, 0, from: 0, below: 1)
            }
        }
        guard let list = members["phases"] else { return }
        guard case .array(let elements) = list, !elements.isEmpty else {
            throw Fault(
                sentence: "The phases have to be a list of objects with percent, phones and tolerance."
            )
        }
        phases = try elements.map { element in
            guard case .object(let phase) = element,
                Set(phase.keys) == ["percent", "phones", "tolerance"]
            else {
                throw Fault(sentence: "A phase has percent, phones and tolerance, and nothing else.")
            }
            return Phase(
                percent: Int(try Self.number(phase, "percent", 0, from: 1, below: 101)),
                phones: Int(try Self.number(phase, "phones", 0, from: 1, below: 1e12)),
                tolerance: try Self.number(phase, "tolerance", 0, from: 1, below: 1_000_000)
            )
        }
        guard zip(phases, phases.dropFirst()).allSatisfy({ $0.percent < $1.percent }) else {
            throw Fault(sentence: "The phases have to be in ascending order of percent, without duplicates.")
        }
    }

    private static func number(
        _ members: [String: JSONValue],
        _ name: String,
        _ otherwise: Double,
        from least: Double,
        below end: Double
    ) throws -> Double {
        guard let value = members[name] else { return otherwise }
        let number: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        guard let number, number >= least, number < end else {
            throw Fault(
                sentence: "\(name) has to be a number of at least \(least.plain) and less than \(end.plain)."
            )
        }
        return number
    }

    /// Writes all members of the policy.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(json)
    }

    /// All members of the policy.
    public var json: JSONValue {
        [
            "schema": 1, "confidence": .number(confidence), "unreadLines": .number(unreadLines),
            "comparison": .number(comparison), "seen": .number(seen),
            "limits": .object(
                Dictionary(uniqueKeysWithValues: limits.map { ($0.key.rawValue, .number($0.value)) })
            ),
            "phases": .array(
                phases.map {
                    [
                        "percent": .integer($0.percent), "phones": .integer($0.phones),
                        "tolerance": .number($0.tolerance),
                    ]
                }
            ),
        ]
    }
}

extension Double {
    /// The number as text, without a fraction if it is whole.
    var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }

    /// The share in percent, such as `0.25 %`.
    public var percent: String {
        let value = self * 100
        let digits = value == 0 || value >= 10 ? 1 : value >= 1 ? 2 : 3
        return String(format: "%.\(digits)f %%", value)
    }
}
