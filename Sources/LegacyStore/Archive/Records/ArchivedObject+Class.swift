extension ArchivedObject {
    /// Which of the service's classes the object is of.
    func legacyClass(in service: LegacyService) throws(LegacyRecordError) -> LegacyArchiveClass {
        let candidates = service.archiveClasses
        if let match = candidates.first(where: { self.class.isCalled($0.rawValue) }) { return match }
        if let match = candidates.first(where: { self.class.isCalled($0.bareName) }) { return match }
        guard let name = self.class.displayName else {
            throw .damaged("The record is of a class that does not belong here.")
        }
        guard service == .mechanism, try isMechanism(name) else {
            throw .damaged("The record is of the class \(name), which does not belong here.")
        }
        throw LegacyRecordError(.unsupported, reason: "Mechanisms of the class \(name) are not supported.")
    }

    /// Whether this is a mechanism of the legacy SDK, by its name or its ancestors.
    private func isMechanism(_ name: String) throws(LegacyRecordError) -> Bool {
        guard name.hasPrefix(LegacyArchiveClass.module) else { return false }
        if name.hasSuffix("Mechanism") { return true }
        return try decoding { () throws(PropertyListError) in
            try self.class.descends(from: LegacyArchiveAncestor.mechanism.rawValue)
        }
    }
}
