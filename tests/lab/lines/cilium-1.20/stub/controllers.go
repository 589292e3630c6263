// Package controllers stands in for sigs.k8s.io/mcs-api/controllers, which is
// not served as a module of its own. Cilium needs nothing but this annotation.
package controllers

// DerivedServiceAnnotation marks the Service that stands for a ServiceImport.
const DerivedServiceAnnotation = "multicluster.kubernetes.io/derived-service"
