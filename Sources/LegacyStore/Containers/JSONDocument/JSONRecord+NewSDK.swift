extension JSONRecord {
    /// Whether the record has the shape of the new SDK's, told by the names that only one of the two knows.
    var isOfNewSDK: Bool {
        switch section {
        case .credentials: true
        case .accounts, .mechanisms: false
        case .notifications: has("credentialId") && !has("mechanismUID")
        case .deviceToken: has("createdAt") && !has("timeAdded")
        }
    }

    /// Whether a record of the new SDK says what it is.
    var isOfKnownShape: Bool {
        has("id") && ["sharedSecret", "oathType", "credentialId"].contains(where: has)
    }

    /// The service of such records; a list of the new SDK's may hold any.
    var service: LegacyService {
        guard section == .credentials else { return section.service }
        if has("credentialId") { return .notification }
        return has("issuer") || !(has("token") || has("tokenId")) ? .mechanism : .deviceToken
    }

    private func has(_ name: String) -> Bool { JSONMembers(bytes).value(of: name) != nil }
}
