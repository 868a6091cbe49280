import Foundation
import PingAMSimulator
import PushBridgeLab
import PushParity

/// The results of one scenario on consecutive server versions that show the same differences.
struct ParityPlay {
    /// The number of the scenario, counted from 0.
    let row: Int
    /// The id of the part of the page that shows the play.
    let id: String
    /// The results by version.
    ///
    /// The newest version is the last.
    private(set) var results: [ScenarioResult]
    /// The scenario files as they were played, by version and in base64; files beyond the size limit are missing.
    private(set) var files: [(version: ServerVersion, file: String)] = []

    /// The result whose timelines are shown.
    var newest: ScenarioResult { results[results.count - 1] }

    /// The versions, in words.
    var versionWords: String {
        let (first, last) = (results[0].version.rawValue, newest.version.rawValue)
        return first == last ? "AM \(first)" : "AM \(first) to \(last), with the timelines of \(last)"
    }

    /// Returns the plays of a scenario.
    /// - Parameters:
    ///   - results: The results of the scenario, by version.
    ///   - row: The number of the scenario, counted from 0.
    ///   - left: The number of bytes that are left for files. The function subtracts the size of this
    ///     scenario's files.
    /// - Returns: The plays. The play on the oldest version comes first.
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

    /// Returns whether the play already has a file for a version.
    ///
    /// A scenario that names a version is played with this version each time, so its plays need only one file.
    private func hasFile(of version: ServerVersion) -> Bool { files.contains { $0.version == version } }
}

extension ScenarioResult {
    /// Returns whether the same differences occurred in another result.
    fileprivate func isLike(_ other: ScenarioResult) -> Bool {
        verdict == other.verdict && differences == other.differences && items == other.items
            && divergences.map(\.divergence.id) == other.divergences.map(\.divergence.id)
    }

    /// The scenario as it was played, in base64; `nil` if it cannot be encoded.
    fileprivate var file: String? {
        do {
            return try played.file.base64EncodedString()
        } catch {
            return nil
        }
    }
}
