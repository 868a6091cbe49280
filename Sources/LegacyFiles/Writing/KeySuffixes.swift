import LegacyStore

/// Makes equal legacy keys unique by adding suffixes, such as `#2`.
struct KeySuffixes {
    private struct Name: Hashable {
        let service: LegacyService
        let key: String
    }

    private var used: [Name: Int] = [:]

    /// Returns the key; if a record of the service already has it, adds the first unused suffix.
    mutating func unique(_ key: String, in service: LegacyService) -> String {
        var candidate = key
        while used[Name(service: service, key: candidate)] != nil {
            let number = used[Name(service: service, key: key), default: 1] + 1
            used[Name(service: service, key: key)] = number
            candidate = "\(key)#\(number)"
        }
        used[Name(service: service, key: candidate)] = 1
        return candidate
    }
}
