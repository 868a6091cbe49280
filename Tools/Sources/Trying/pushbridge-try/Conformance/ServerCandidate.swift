import PingAMSimulator

/// A candidate for the tested server: a version of PingAM, and whether nodes or modules create its codes and its
/// pushes.
struct ServerCandidate: Hashable, Sendable {
    let version: ServerVersion
    let codes: PushSender
    let pushes: PushSender

    /// Every combination that exists.
    ///
    /// Before 7.1, only modules created codes.
    static let all = Set(
        ServerVersion.allCases.flatMap { version in
            PushSender.allCases.flatMap { codes in
                PushSender.allCases.map { ServerCandidate(version: version, codes: codes, pushes: $0) }
            }
        }
        .filter { $0.codes == .module || $0.version >= .v7_1 }
    )

    /// Whether the tokens of pushes have a text, a type, numbers, a payload and a context.
    var hasRichPushes: Bool { pushes == .node && version >= .v7_2 }
    /// Whether codes have the form that nodes write from 7.3 on.
    var labelsIssuer: Bool { codes == .node && version >= .v7_3 }
    /// Whether codes contain the user's name and the profile's id.
    var namesUser: Bool { codes == .node && version.takesNewTokens }
    /// Whether the profile of a device contains the time of the last login that the device approved.
    var keepsLastAccess: Bool { pushes == .node && version >= .v8_0_0 }
}

extension Set<ServerCandidate> {
    /// The versions, in ascending order.
    var versions: [ServerVersion] { Set<ServerVersion>(map(\.version)).sorted() }
    var codes: Set<PushSender> { Set<PushSender>(map(\.codes)) }
    var pushes: Set<PushSender> { Set<PushSender>(map(\.pushes)) }

    /// The candidates in short form, such as `7.2 or later, pushes of a node`.
    var words: String {
        guard !isEmpty else { return "none" }
        let versions = versions
        var parts = versions == ServerVersion.allCases ? [] : [versions.words]
        // In 6.5, only modules created codes, so the version already implies modules.
        if codes.count == 1, versions != [.v6_5] { parts.append("codes of a \(codes.names)") }
        if pushes.count == 1 { parts.append("pushes of a \(pushes.names)") }
        return parts.isEmpty ? "all" : parts.joined(separator: ", ")
    }
}

extension Set<PushSender> {
    /// The names of the senders, for display.
    fileprivate var names: String { map(\.rawValue).sorted().joined(separator: " or ") }
}

extension [ServerVersion] {
    /// The versions for display, in ascending order, such as `8.0.1 or later` or `7.3/7.4, 7.5`.
    var words: String {
        let all = ServerVersion.allCases
        guard let first, count > 1 else { return first?.name ?? "" }
        let last = self[count - 1].releases.last ?? ""
        if all.suffix(count).elementsEqual(self) { return "\(first.releases[0]) or later" }
        if count > 2, all.prefix(count).elementsEqual(self) { return "\(last) or earlier" }
        let isRange = all.filter { first <= $0 && $0 <= self[count - 1] } == self
        if count > 2, isRange { return "\(first.releases[0]) to \(last)" }
        return map(\.name).joined(separator: ", ")
    }
}

extension ServerVersion {
    /// The releases that behave like this version, for display.
    var name: String { releases.joined(separator: "/") }
}
