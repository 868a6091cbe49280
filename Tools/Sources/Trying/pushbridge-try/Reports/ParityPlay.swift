import Foundation
import PingAMSimulator
import PushBridgeLab
import PushParity

/// The results of one scenario on consecutive versions of the server on which the same differences occurred.
struct ParityPlay {
    /// The number of the scenario, from 0.
    let row: Int
    /// The id of its part of the page.
    let id: String
    /// The results by version, the newest last.
    private(set) var results: [ScenarioResult]
    /// The scenario as it was played on each version, as a file in base64; empty if there was no room.
    private(set) var files: [(version: ServerVersion, file: String)] = []

    /// The result whose timelines are shown.
    var newest: ScenarioResult { results[results.count - 1] }

    /// The versions in words.
    var versionWords: String {
        let (first, last) = (results[0].version.rawValue, newest.version.rawValue)
        return first == last ? "AM \(first)" : "AM \(first) to \(last), shown as on \(last)"
    }

    /// Returns the plays of a scenario.
    /// - Parameters:
    ///   - results: Its results by version.
    ///   - row: The number of the scenario, from 0.
    ///   - left: The number of bytes for files; reduced by those of this scenario.
    /// - Returns: The plays, the oldest version first.
    static func all(of results: [ScenarioResult], row: Int, fileBytesLeft left: inout Int) -> [ParityPlay] {
        var plays: [ParityPlay] = []
        for result in results {
            if let last = plays.last, last.newest.isLike(result) {
                plays[plays.count - 1].results.append(result)
            } else {
                plays.append(ParityPlay(row: row, id: "s\(row + 1)-\(plays.count + 1)", results: [result]))
            }
            guard let file = result.file, !plays[plays.count - 1].hasFile(of: result.version) else {
                continue
            }
            left -= file.utf8.count
            if left >= 0 { plays[plays.count - 1].files.append((result.version, file)) }
        }
        return plays
    }

    private init(row: Int, id: String, results: [ScenarioResult]) {
        (self.row, self.id, self.results) = (row, id, results)
    }

    /// A scenario that names a version is played with that version each time.
    private func hasFile(of version: ServerVersion) -> Bool { files.contains { $0.version == version } }
}

extension ScenarioResult {
    /// Whether the same differences occurred.
    fileprivate func isLike(_ other: ScenarioResult) -> Bool {
        verdict == other.verdict && differences == other.differences && items == other.items
            && divergences.map(\.divergence.id) == other.divergences.map(\.divergence.id)
    }

    /// The scenario as it was played, in base64.
    fileprivate var file: String? {
        do {
            return try played.file.base64EncodedString()
        } catch {
            return nil
        }
    }
}
