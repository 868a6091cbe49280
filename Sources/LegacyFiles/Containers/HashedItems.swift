import Foundation
import LegacyStore

/// Items that contain a hash of the service's name instead of the name, as in the system's own keychain.
///
/// The values of such items are encrypted, so the items can be counted but not read.
struct HashedItems {
    private let services: [Data: RecordService]
    private var counts: [RecordService: Int] = [:]
    /// The number of items whose services are not known.
    private var others = 0
    private var deleted = 0

    /// Creates an empty list for the services of both SDKs and the services that the caller named.
    init() {
        services = Dictionary(
            RecordService.all.flatMap { service in service.hashedNames.map { ($0, service) } }
        ) { first, _ in first }
    }

    /// Returns whether a hash belongs to a service that is read.
    func contains(_ hash: Data) -> Bool { services[hash] != nil }

    /// Adds items that have the same hash.
    mutating func add(_ hash: Data, count: Int = 1, isDeleted: Bool) {
        if isDeleted {
            deleted += count
        } else if let service = services[hash] {
            counts[service, default: 0] += count
        } else {
            others += count
        }
    }

    /// The end of a sentence about the hashed items; `nil` if there are none.
    var sentence: String? {
        let kind = "is the system's own keychain, with hashed names and encrypted values"
        let remedy = "Export the items from the app, or from an encrypted backup of the device."
        let known = knownParts
        guard known.isEmpty else { return "\(kind): \(known.joined(separator: ", ")). \(remedy)" }
        guard others == 0 else {
            let items = others == 1 ? "Its item does not belong" : "None of its \(others) items belongs"
            return
                "\(kind). \(items) to a service of either SDK; if the app chose the names of its services, add `--service NAME`."
                + " \(remedy)"
        }
        return deleted == 0 ? nil : "\(kind). All items in it are deleted."
    }

    /// The number of items for each SDK and for each service that the caller named, in words.
    private var knownParts: [String] {
        var (legacy, successor) = (0, 0)
        var named: [String: Int] = [:]
        for (service, count) in counts {
            switch service {
            case .legacy: legacy += count
            case .newSDK: successor += count
            case .other(let name): named[name, default: 0] += count
            }
        }
        let parts: [(Int, String)] =
            [(legacy, "the legacy SDK's services"), (successor, "the successor SDK's services")]
            + named.sorted { $0.key < $1.key }.map { ($0.value, "the service \($0.key)") }
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "item" : "items") of \($0.1)" }
    }
}
