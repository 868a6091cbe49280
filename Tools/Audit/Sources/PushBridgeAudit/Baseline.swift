import Foundation
public import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeSymbols

/// The result of an earlier audit, to measure progress.
///
/// Edits above a use change its line. So a use is identified by its file, symbol, role and enclosing declaration.
public struct Baseline: Sendable {
    /// The number of uses.
    public let uses: Int
    private let counts: [Audit.Identity: Int]
    private let unindexed: Set<String>

    /// Reads the output of `audit --json`.
    /// - Parameter file: The path of the output.
    /// - Throws: ``CommandFailure`` if the file cannot be read or does not contain an audit.
    public init(named file: String) throws(CommandFailure) {
        struct Document: Decodable {
            struct Use: Decodable {
                let file: String
                let symbol: String
                let role: String
                let enclosing: String?
            }
            let uses: [Use]
            let unindexed: [String]?
        }
        let data = try Data(named: file)
        do {
            let document = try JSONDecoder().decode(Document.self, from: data)
            uses = document.uses.count
            unindexed = Set(document.unindexed ?? [])
            counts = document.uses.reduce(into: [:]) { counts, use in
                let enclosing = use.enclosing ?? ""
                let identity = Audit.Identity(
                    file: use.file,
                    symbol: use.symbol,
                    role: use.role,
                    enclosing: enclosing
                )
                counts[identity, default: 0] += 1
            }
        } catch {
            let place = JSONFault(in: data).map { " (invalid JSON at \($0.words))" } ?? ""
            throw CommandFailure(
                status: .unreadableInput,
                sentence: "\(file) is not an audit\(place): it must be the output of pushbridge audit --json."
            )
        }
    }

    /// Returns whether a file is missing from the audit's index but not from the baseline's index.
    ///
    /// The audit does not count the uses in a missing file, so the uses would look as if they had been removed.
    func isFuller(than audit: Audit) -> Bool { !unindexed.isSuperset(of: audit.unindexed) }

    /// Compares an audit with the baseline.
    ///
    /// Returns the indices of the uses that only the audit contains, and the number of uses that only the baseline
    /// contains.
    func compare(_ audit: Audit) -> (new: Set<Int>, gone: Int) {
        var left = counts
        var new: Set<Int> = []
        for (index, use) in audit.uses.enumerated() {
            let identity = audit.identity(of: use)
            if let count = left[identity], count > 0 {
                left[identity] = count - 1
            } else {
                new.insert(index)
            }
        }
        return (new, left.values.reduce(0, +))
    }
}

extension Audit {
    /// Identifies a use, even after edits elsewhere in the use's file.
    struct Identity: Hashable, Sendable {
        let file: String
        let symbol: String
        let role: String
        let enclosing: String
    }

    func identity(of use: Use) -> Identity {
        Identity(
            file: files[use.file],
            symbol: symbols[use.symbol].spelling,
            role: use.role.rawValue,
            enclosing: use.enclosing.map { names[$0] } ?? ""
        )
    }
}
